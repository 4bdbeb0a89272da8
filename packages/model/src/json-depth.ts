const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** Whether arrays and objects in JSON text are nested deeper than `depth`; ignores brackets in strings. */
export function isDeeperThan(text: string, depth: number): boolean {
  let open = 0
  return someSign(text, sign => {
    if (sign !== COMMA) open += opens(sign) ? 1 : -1
    return open > depth
  })
}

/** Whether JSON text contains more than `max` values, including keys and nested values; ignores strings. */
export function holdsMoreThan(text: string, max: number): boolean {
  let values = 1
  return someSign(text, sign => {
    // At most one value follows each opening bracket and each comma.
    if (sign === COMMA || opens(sign)) values++
    return values > max
  })
}

/**
 * Whether the objects in JSON text have more than `max` forms (key sequences and their prefixes), each of which costs the parser much
 * time. Counts hashes with a random seed per process, so that keys cannot be chosen to collide.
 */
export function hasMoreFormsThan(text: string, max: number): boolean {
  // Shorter text cannot contain them.
  if (text.length < 4 * max) return false
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
      if (forms.add(form).size > max) return true
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

/** Whether any bracket, brace or comma outside strings passes the test; one pass without allocation. */
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
