/** The frame of the control API's pages: one file, no script, light and dark. */
export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884; }
li { margin: .3rem 0; } code { font-size: .9em; overflow-wrap: anywhere; }
.documented, .standard, .silent { font-size: .8em; padding: 0 .4em; border: 1px solid; border-radius: .6em; }
.documented { color: #17803d; } .standard { color: #2563eb; } .silent { color: #b45309; }
</style>
${body}</html>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
