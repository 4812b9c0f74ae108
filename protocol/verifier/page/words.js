/**
 * Sentences by their codes, from the program's catalogues: templates with `{details}`, in each language.
 *
 * A sentence that agrees with a number has a template for each plural category of the language.
 */

const PLACE = /\{([a-z]+)\}/gu;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Return the detail for a place; one that is missing shows the place itself. */
const given = (details, name) => (Object.hasOwn(details, name) ? details[name] : `{${name}}`);

/**
 * Return text with the characters that cannot be seen, or that turn the direction of others, as escapes.
 * @param {unknown} text
 */
export function printable(text) {
  return String(text).replace(UNSEEN, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/**
 * Return foreign text as a node that does not change the direction of the text around it.
 * @param {unknown} text
 */
export function isolated(text) {
  const made = document.createElement("bdi");
  made.textContent = printable(text);
  return made;
}

/**
 * Return text as nodes in which each of these names is isolated.
 * @param {string} text
 * @param {string[]} names
 * @returns {(string | Node)[]}
 */
export function isolating(text, names) {
  // the longer one first, of which the other may be a part
  const [name, ...others] = [...names].sort((one, other) => other.length - one.length);
  if (!name) return [text];
  return text.split(name).flatMap((part, index) => [...(index ? [isolated(name)] : []), ...isolating(part, others)]);
}

/**
 * Return a value as JSON for people to see: characters that cannot be seen are escapes there, too.
 * @param {unknown} value
 */
export function json(value) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const lines = JSON.stringify(value, null, 2).split("\n");
  return lines.map((line) => line.replace(UNSEEN, (found) => found.split("").map(escaped).join(""))).join("\n");
}

export class Words {
  #templates;
  #plurals;

  /**
   * @param {string} language its code
   * @param {Record<string, string | Record<string, string>>} templates
   */
  constructor(language, templates) {
    this.language = language;
    this.#templates = templates;
    this.#plurals = new Intl.PluralRules(language);
  }

  /**
   * Return whether there is a sentence for `code` of which every place has a detail.
   * @param {string} code
   * @param {Record<string, unknown>} details
   */
  fits(code, details) {
    if (!Object.hasOwn(this.#templates, code)) return false;
    return [...this.#template(code, details).matchAll(PLACE)].every(([, name]) => Object.hasOwn(details, name));
  }

  /**
   * Return the sentence for `code`.
   * @param {string} code
   * @param {Record<string, unknown>} details
   */
  say(code, details = {}) {
    return this.#template(code, details).replace(PLACE, (_, name) => printable(given(details, name)));
  }

  /**
   * Return the sentence for `code` as nodes, where no detail can change the direction of the text around it.
   * @param {string} code
   * @param {Record<string, unknown>} details
   */
  nodes(code, details = {}) {
    return this.#template(code, details).split(PLACE).map((text, index) => {
      return index % 2 ? isolated(given(details, text)) : text;
    });
  }

  /**
   * Return `a, b and c`.
   * @param {string[]} items
   */
  listed(items) {
    if (items.length < 2) return items[0] ?? this.say("nothing");
    return this.say("and", { first: items.slice(0, -1).join(", "), last: items.at(-1) });
  }

  #template(code, details) {
    const found = Object.hasOwn(this.#templates, code) ? this.#templates[code] : code;
    return typeof found === "string" ? found : found[this.#plurals.select(details.count)] ?? found.other;
  }
}
