/** Whether JSON text nests arrays and objects deeper than `depth`; brackets in strings do not count. */
export function isDeeperThan(text: string, depth: number): boolean {
  let open = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (inString) {
      if (character === 0x5c) at++
      else if (character === 0x22) inString = false
      continue
    }
    if (character === 0x22) inString = true
    else if (character === 0x7b || character === 0x5b) {
      open++
      if (open > depth) return true
    } else if (character === 0x7d || character === 0x5d) open--
  }
  return false
}

/** Whether JSON text holds more than `most` values, nested ones and those of keys included; signs in strings do not count. */
export function holdsMoreThan(text: string, most: number): boolean {
  let values = 1
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (inString) {
      if (character === 0x5c) at++
      else if (character === 0x22) inString = false
    } else if (character === 0x22) inString = true
    // A value follows each opening bracket, at most, and each comma.
    else if (character === 0x2c || character === 0x7b || character === 0x5b) {
      values++
      if (values > most) return true
    }
  }
  return false
}
