const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

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
