/** Why a script cannot be read, with the place: line and column count from 1. Its message may be shown to whoever sent the script. */
export class SqlError extends Error {
  readonly line: number
  readonly column: number
  /** The message without the place. */
  readonly reason: string

  constructor(message: string, { line, column }: { line: number; column: number }) {
    super(`Line ${line}, column ${column}: ${message}`)
    this.name = 'SqlError'
    this.reason = message
    this.line = line
    this.column = column
  }
}

/** Something of a script, fit for a sentence. */
export function shown(text: string): string {
  const points = Array.from(text.slice(0, 120).replaceAll(/\s+/g, ' '))
  return points.length > 60 ? `${points.slice(0, 59).join('')}…` : points.join('')
}
