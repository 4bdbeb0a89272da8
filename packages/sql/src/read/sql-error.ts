/** A script that cannot be parsed. Line and column count from 1; the message may be shown to users. */
export class SqlError extends Error {
  readonly line: number
  readonly column: number
  /** The message without the position. */
  readonly reason: string

  constructor(message: string, { line, column }: { line: number; column: number }) {
    super(`Line ${line}, column ${column}: ${message}`)
    this.name = 'SqlError'
    this.reason = message
    this.line = line
    this.column = column
  }
}

/** Shortens and flattens text of a script for use in a message. */
export function shown(text: string): string {
  const points = Array.from(text.slice(0, 120).replaceAll(/\s+/g, ' '))
  return points.length > 60 ? `${points.slice(0, 59).join('')}…` : points.join('')
}
