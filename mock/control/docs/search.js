/** Search on the page: operations and statements that have all of the words stay. */
const find = document.getElementById('find');
find.addEventListener('input', () => {
  const words = find.value.toLowerCase().split(/\s+/);
  for (const item of document.querySelectorAll('article[aria-labelledby], li[id]')) {
    const text = item.textContent.toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
  }
  for (const section of document.querySelectorAll('article:not([aria-labelledby])')) {
    section.hidden = section.querySelector('li:not([hidden])') === null;
  }
});
