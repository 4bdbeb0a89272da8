import { visibleText } from '@cadmus/model/visible-text'

/** Why a file could not be taken in at all. The codes are stable: calls answer them, tests name them. */
export type ImportErrorCode =
  | 'zip-broken'
  | 'zip-unsupported'
  | 'zip-too-many-entries'
  | 'zip-too-large'
  | 'zip-ratio'
  | 'zip-path'
  | 'zip-link'
  | 'not-text'
  | 'not-json'
  | 'too-deep'
  | 'too-large'
  | 'too-much'
  | 'not-cdm'
  | 'not-an-entity'
  | 'not-a-model'
  | 'not-sql'
  | 'not-xml'
  | 'not-a-package'
  | 'no-root'
  | 'several-roots'
  | 'cancelled'

/** The one error of this package's readers. Its message may be shown to the person who sent the file. */
export class ImportError extends Error {
  readonly code: ImportErrorCode
  /** The manifests of which the caller has to choose one. */
  readonly roots: readonly string[] | undefined

  constructor(code: ImportErrorCode, message: string, roots?: readonly string[]) {
    super(message)
    this.roots = roots
    this.name = 'ImportError'
    this.code = code
  }
}

/** Whether an error in one document is about that document only, so that the others can be read on. Anything else is thrown on. */
export function isAboutOneDocument(error: unknown): error is ImportError {
  if (!(error instanceof ImportError)) return false
  return !error.code.startsWith('zip-') && error.code !== 'too-much'
}

/** Something from a file, fit for a sentence: quoted, short, and on one line. */
export function quoted(text: string): string {
  const points = Array.from(visibleText(text.slice(0, 400)))
  return points.length > 120 ? `"${points.slice(0, 117).join('')}…"` : `"${points.join('')}"`
}
