const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** Whether JSON text nests arrays and objects deeper than `depth`; brackets in strings do not count. */
export function isDeeperThan(text: string, depth: number): boolean {
  let open = 0
  return someSign(text, sign => {
    if (sign !== COMMA) open += opens(sign) ? 1 : -1
    return open > depth
  })
}

/** Whether JSON text holds more than `most` values, nested ones and those of keys included; signs in strings do not count. */
export function holdsMoreThan(text: string, most: number): boolean {
  let values = 1
  return someSign(text, sign => {
    // A value follows each opening bracket, at most, and each comma.
    if (sign === COMMA || opens(sign)) values++
    return values > most
  })
}

/**
 * Whether the objects in JSON text have more than `most` forms, which are their keys in order, and each beginning of these: the parser takes
 * long to make each of them. Forms are counted by hashes that differ from process to process, so that nobody can choose keys that count as one.
 */
export function hasMoreFormsThan(text: string, most: number): boolean {
  // Shorter text has no room for them.
  if (text.length < 4 * most) return false
  const forms = new Set<number>()
  const outer: number[] = []
  let form = 0
  let string = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) {
      inString = !inString
      if (inString) string = 0
    } else if (inString) {
      string = mixed(string, sign)
      if (sign === BACKSLASH) string = mixed(string, text.charCodeAt(++at))
    } else if (sign === COLON) {
      form = mixed(form, string)
      if (forms.add(form).size > most) return true
    } else if (opens(sign)) {
      outer.push(form)
      form = 0
    } else if (closes(sign)) form = outer.pop() ?? 0
  }
  return false
}

const seed = Math.trunc(Math.random() * 2 ** 32)
const factor = Math.trunc(Math.random() * 2 ** 32) | 1

function mixed(hash: number, value: number): number {
  const product = Math.imul(hash ^ value ^ seed, factor)
  return product ^ (product >>> 15)
}

/** Whether any bracket, brace or comma outside of strings passes the test, in one pass and without building anything. */
function someSign(text: string, passes: (sign: number) => boolean): boolean {
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) inString = !inString
    else if (inString && sign === BACKSLASH) at++
    else if (!inString && (sign === COMMA || opens(sign) || closes(sign)) && passes(sign)) return true
  }
  return false
}

function opens(sign: number): boolean {
  return sign === 0x5b || sign === 0x7b
}

function closes(sign: number): boolean {
  return sign === 0x5d || sign === 0x7d
}
