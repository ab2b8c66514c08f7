/** Search on the page: only operations and statements with all of the words remain visible. */
const find = /** @type {HTMLInputElement} */ (document.getElementById('find'));
find.addEventListener('input', () => {
  const words = find.value.toLowerCase().split(/\s+/);
  /** @type {NodeListOf<HTMLElement>} */
  const items = document.querySelectorAll('article[aria-labelledby], li[id]');
  for (const item of items) {
    const text = item.textContent.toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
  }
  /** @type {NodeListOf<HTMLElement>} */
  const sections = document.querySelectorAll('article:not([aria-labelledby])');
  for (const section of sections) {
    section.hidden = section.querySelector('li:not([hidden])') === null;
  }
});
