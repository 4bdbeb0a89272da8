/** Rules by which a script quotes names and ends statements. */
export interface ScriptStyle {
  /** Closing quote of each opening quote. A doubled closing quote represents itself. */
  readonly quotes: Readonly<Record<string, string>>
  /** Whether a backslash escapes the next character in a string. */
  readonly backslash: boolean
  /** A line with only this word ends the statement. */
  readonly batchWord?: string
}

export const STANDARD: ScriptStyle = { quotes: { "'": "'", '"': '"' }, backslash: false }
export const MYSQL: ScriptStyle = { quotes: { "'": "'", '"': '"', '`': '`' }, backslash: true }
export const MSSQL: ScriptStyle = { quotes: { "'": "'", '"': '"', '[': ']' }, backslash: false, batchWord: 'GO' }
export const ORACLE: ScriptStyle = { quotes: { "'": "'", '"': '"' }, backslash: false, batchWord: '/' }

/** The statements of a script, without closing semicolons and comments. */
export function splitStatements(script: string, style: ScriptStyle = STANDARD): string[] {
  const statements: string[] = []
  let start = 0
  let position = 0
  const end = (length: number): void => {
    statements.push(withoutComments(script.slice(start, position), style).trim())
    position += length
    start = position
  }
  while (position < script.length) {
    const batch = batchLine(script, position, style)
    if (batch > 0) end(batch)
    else if (script[position] === ';') end(1)
    else position = afterPiece(script, position, style)
  }
  end(0)
  return statements.filter(statement => statement !== '')
}

/** The offset after the next string, quoted name, comment or single character. */
function afterPiece(script: string, position: number, style: ScriptStyle): number {
  const comment = commentEnd(script, position)
  if (comment !== undefined) return comment
  const closing = style.quotes[script[position] ?? '']
  return closing === undefined ? position + 1 : quoteEnd(script, position, closing, style)
}

function quoteEnd(script: string, start: number, closing: string, style: ScriptStyle): number {
  let position = start + 1
  while (position < script.length) {
    if (style.backslash && script[position] === '\\' && closing !== '`') position += 2
    else if (script[position] !== closing) position += 1
    else if (script[position + 1] === closing) position += 2
    else return position + 1
  }
  return script.length
}

function commentEnd(script: string, position: number): number | undefined {
  const two = script.slice(position, position + 2)
  if (two !== '--' && two !== '/*') return undefined
  const closing = two === '--' ? '\n' : '*/'
  const end = script.indexOf(closing, position + 2)
  return end === -1 ? script.length : end + closing.length
}

/** The length of a line with only the batch word, if one starts here; otherwise 0. */
function batchLine(script: string, position: number, style: ScriptStyle): number {
  if (style.batchWord === undefined || (position > 0 && script[position - 1] !== '\n')) return 0
  const newline = script.indexOf('\n', position)
  const line = script.slice(position, newline === -1 ? script.length : newline + 1)
  return line.trim().toUpperCase() === style.batchWord ? line.length : 0
}

function withoutComments(statement: string, style: ScriptStyle): string {
  let text = ''
  let position = 0
  while (position < statement.length) {
    const end = afterPiece(statement, position, style)
    text += commentEnd(statement, position) === undefined ? statement.slice(position, end) : ' '
    position = end
  }
  return text
}

/** Splits a statement into its strings and quoted names, and the rest with a question mark for each of them. */
export function quotedPieces(statement: string, style: ScriptStyle): { quoted: string[]; rest: string } {
  const quoted: string[] = []
  let rest = ''
  let position = 0
  while (position < statement.length) {
    const end = afterPiece(statement, position, style)
    const piece = statement.slice(position, end)
    if (style.quotes[piece[0] ?? ''] === undefined) rest += piece
    else {
      quoted.push(piece)
      rest += '?'
    }
    position = end
  }
  return { quoted, rest }
}
