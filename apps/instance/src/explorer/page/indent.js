/**
 * Indents JSON without parsing it, so that long numbers keep their digits.
 * @param {string} text
 * @returns {string}
 */
export function indentJson(text) {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  return tokens
    .map((token, index) => {
      const next = tokens[index + 1]
      if (token === '{' || token === '[') {
        if (next === '}' || next === ']') return token
        depth += 1
        return token + line()
      }
      if (token === ',') return token + line()
      if (token === ':') return ': '
      const before = tokens[index - 1]
      if ((token === '}' || token === ']') && before !== '{' && before !== '[') {
        depth -= 1
        return line() + token
      }
      return token
    })
    .join('')
}

/**
 * Indents XML without parsing it. Elements with only text are on one line.
 * @param {string} text
 * @returns {string}
 */
export function indentXml(text) {
  const tokens = text.match(/<!--[\s\S]*?-->|<[^>]*>|[^<]+/g) ?? []
  let depth = 0
  let result = ''
  let isAfterOpening = false
  tokens.forEach((token, index) => {
    const isClosing = token.startsWith('</')
    if (isClosing) depth = Math.max(depth - 1, 0)
    const isText = !token.startsWith('<')
    const isValue = isText && isAfterOpening && tokens[index + 1]?.startsWith('</') === true
    if (isText && !isValue && token.trim() === '') return
    const staysOnLine = isValue || (isClosing && isAfterOpening)
    result += staysOnLine || result === '' ? token : `\n${'  '.repeat(depth)}${token}`
    const isOpening = /^<[^/!?].*[^/]>$|^<[^/!?]>$/s.test(token)
    if (isOpening) depth += 1
    // A value is on the line of its element, up to the closing tag.
    isAfterOpening = isOpening || isValue
  })
  return result
}
