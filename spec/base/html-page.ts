/** A page that loads nothing from another host: it contains its style and script, named by digest. */
import { hash } from 'node:crypto';

export interface HtmlPage {
  readonly html: string;
  readonly headers: Record<string, string>;
}

/** `style` and `script` are the contents of the page's `style` and `script` elements. */
export function htmlPage(html: string, style: string, script?: string): HtmlPage {
  const policy = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${sourceHash(script)}`, "connect-src 'self'"]),
    `style-src ${sourceHash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    html,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  };
}

function sourceHash(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}
