/** Position and cause of a syntax error. Line and column start at 1. */
export type SyntaxFault = { cause: string; at: number; line: number; column: number }

/** The first syntax error of a JSON text; undefined for valid JSON. Iterative: any nesting depth is safe. */
export function syntaxFault(text: string): SyntaxFault | undefined {
  const reader = new Reader(text)
  const cause = reader.read()
  return cause === undefined ? undefined : { cause, at: reader.at, ...placeAt(text, reader.at) }
}

function placeAt(text: string, at: number): { line: number; column: number } {
  const breaks = [...text.slice(0, at).matchAll(/\r\n?|\n/g)]
  const last = breaks.at(-1)
  return { line: breaks.length + 1, column: at - (last ? last.index + last[0].length : 0) + 1 }
}

const causes = {
  value: 'Expected a value',
  key: 'Expected a key in double quotes',
  colon: "Expected ':' after the key",
  comma: (close: string) => `Expected ',' or '${close}'`,
  lastComma: (close: string) => `Expected no ',' before '${close}'`,
  unclosed: (close: string) => `Expected '${close}' before the end`,
  string: 'Expected a double quote at the end of the text',
  escape: 'Expected an escape that JSON knows',
  control: 'Expected no line break, tab or other control character in a text',
  rest: 'Expected nothing after the value',
}

/** The next expected token. `item` and `member`: after a comma. */
type State = 'value' | 'firstItem' | 'item' | 'firstMember' | 'member' | 'after'

const spaces = /[ \t\n\r]*/y
const scalars = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
const escapes = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

class Reader {
  readonly text: string
  at = 0
  /** Closing brackets of the open arrays and objects, innermost last. */
  readonly #open: (']' | '}')[] = []
  #state: State = 'value'

  constructor(text: string) {
    this.text = text
  }

  /** Cause of the first error, which is at `at`. */
  read(): string | undefined {
    for (;;) {
      this.#skip(spaces)
      if (this.at === this.text.length) return this.#atEnd()
      const cause = this.#state === 'after' ? this.#next() : this.#content()
      if (cause !== undefined) return cause
    }
  }

  #atEnd(): string | undefined {
    const close = this.#open.at(-1)
    if (close !== undefined) return causes.unclosed(close)
    return this.#state === 'after' ? undefined : causes.value
  }

  /** Expects a comma or a closing bracket after a value. */
  #next(): string | undefined {
    const close = this.#open.at(-1)
    if (close === undefined) return causes.rest
    const sign = this.text[this.at]
    if (sign !== ',' && sign !== close) return causes.comma(close)
    this.at += 1
    if (sign === close) this.#open.pop()
    else this.#state = close === ']' ? 'item' : 'member'
    return undefined
  }

  #content(): string | undefined {
    const close = this.#open.at(-1)
    if (close !== undefined && this.text[this.at] === close && this.#state !== 'value') {
      if (this.#state === 'item' || this.#state === 'member') return causes.lastComma(close)
      this.at += 1
      this.#open.pop()
      this.#state = 'after'
      return undefined
    }
    return this.#state === 'member' || this.#state === 'firstMember' ? this.#member() : this.#value()
  }

  #member(): string | undefined {
    if (this.text[this.at] !== '"') return causes.key
    const cause = this.#string()
    if (cause !== undefined) return cause
    this.#skip(spaces)
    if (this.text[this.at] !== ':') return causes.colon
    this.at += 1
    this.#state = 'value'
    return undefined
  }

  #value(): string | undefined {
    const sign = this.text[this.at]
    if (sign === '[' || sign === '{') {
      this.at += 1
      this.#open.push(sign === '[' ? ']' : '}')
      this.#state = sign === '[' ? 'firstItem' : 'firstMember'
      return undefined
    }
    this.#state = 'after'
    if (sign === '"') return this.#string()
    return this.#skip(scalars) ? undefined : causes.value
  }

  #string(): string | undefined {
    for (this.at += 1; this.at < this.text.length;) {
      const code = this.text.charCodeAt(this.at)
      if (code < 0x20) return causes.control
      if (code === 0x5c) {
        if (!this.#skip(escapes)) return causes.escape
      } else {
        this.at += 1
        if (code === 0x22) return undefined
      }
    }
    return causes.string
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.text)) return false
    this.at = pattern.lastIndex
    return true
  }
}
