/** Elements are made here, of text alone: nothing that a file says becomes markup. */

/**
 * Return an element with these attributes; `children` are nodes and text.
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
export function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** Return a list of sentences, each of nodes. */
export const list = (kind, attributes, sentences) =>
  element(kind, attributes, ...sentences.map((nodes) => element("li", {}, ...nodes)));

/** Return the content of a data block of the page, parsed as JSON. */
export const carried = (id) => JSON.parse(document.getElementById(id).textContent);
