import { visibleText } from '@cadmus/model/display'

/** Reason why a file could not be imported. The codes are stable: they are part of API responses. */
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

/** The only error that the readers of this package throw. Its message may be shown to the user. */
export class ImportError extends Error {
  readonly code: ImportErrorCode
  /** Candidate root manifests, if the caller has to choose one. */
  readonly roots: readonly string[] | undefined

  constructor(code: ImportErrorCode, message: string, roots?: readonly string[]) {
    super(message)
    this.roots = roots
    this.name = 'ImportError'
    this.code = code
  }
}

/** Whether an error concerns a single document, so that reading can continue with the others. */
export function isAboutOneDocument(error: unknown): error is ImportError {
  if (!(error instanceof ImportError)) return false
  return !error.code.startsWith('zip-') && error.code !== 'too-much'
}

/** Quotes text from a file for use in a message: shortened and on one line. */
export function quoted(text: string): string {
  const points = Array.from(visibleText(text.slice(0, 400)))
  return points.length > 120 ? `"${points.slice(0, 117).join('')}…"` : `"${points.join('')}"`
}
