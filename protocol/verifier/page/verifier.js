/** The page's end of the thread that verifies, which the page carries as text. */

/** Read that text; where a browser demands that addresses of scripts be vetted, this policy is the one that may. */
function start(source) {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const vetted = globalThis.trustedTypes?.createPolicy("verifier", { createScriptURL: (url) => url });
  return new Worker(vetted ? vetted.createScriptURL(address) : address);
}

export class Verifier {
  #worker;
  #broken = null;
  #waiting = new Map();
  #count = 0;

  constructor() {
    this.#worker = start(document.getElementById("verifier").textContent);
    this.#worker.addEventListener("message", ({ data }) => this.#take(data));
    this.#worker.addEventListener("error", (event) => this.#fail(event.message));
  }

  /**
   * Return the report on a log, and more about it; fail if the verifier itself does.
   * @param {Uint8Array} bytes the whole log
   * @param {{ data?: Uint8Array[], handshakes?: Uint8Array, progress?: (done: number) => void }} beside
   *   data that the settings of a game may name, handshakes by SPEC 8.5, and what is told how many bytes are done
   */
  examine(bytes, { data = [], handshakes = new Uint8Array(), progress = () => {} } = {}) {
    if (this.#broken) return Promise.reject(this.#broken);
    const id = this.#count++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      this.#worker.postMessage({ id, bytes, data, handshakes });
    });
  }

  #take({ id, done, examined, error }) {
    const { resolve, reject, progress } = this.#waiting.get(id);
    if (done !== undefined) return progress(done);
    this.#waiting.delete(id);
    return examined ? resolve(examined) : reject(new Error(error));
  }

  /** The thread is gone, such as in a browser that is too old for it. */
  #fail(message) {
    this.#broken = new Error(message || "Worker");
    for (const { reject } of this.#waiting.values()) reject(this.#broken);
    this.#waiting.clear();
  }
}
