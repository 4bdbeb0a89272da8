import { ImportError, quoted } from '@cadmus/formats/import-error'

/** Bytes of UTF-8. The store's indexes hold names and paths whole; what is longer no person could read anyway. */
const limits = { name: 600, path: 2000 }

/** Refuses what cannot be stored as a name or a path. Names that only break a rule for names are not refused: they are kept. */
export function checkStorable(thing: { name: string; path: string }): void {
  for (const kind of ['name', 'path'] as const) {
    const text = thing[kind]
    if (Buffer.byteLength(text) > limits[kind]) {
      throw new ImportError('too-large', `The ${kind} ${quoted(text)} is too long.`)
    }
    if (/\p{Cc}/u.test(text) || !text.isWellFormed()) {
      throw new ImportError('not-text', `The ${kind} ${quoted(text)} holds characters that no ${kind} can have.`)
    }
  }
}
