import { isRecord } from '../equal.ts'

/**
 * A form of stored data: a content, a file, a column, a draft in a browser. Its samples are immutable (`stored-samples.ts`): a change of the
 * schema needs a new format and an upgrade from the one before.
 */
export type StoredForm<T> = {
  readonly name: string
  readonly format: number
  /** Schema of the current format: a Zod schema, or a check without the schema library. */
  readonly schema: Schema<T>
  /** Upgrades by format; each returns the next format. */
  readonly upgrades: Readonly<Record<number, (stored: unknown) => unknown>>
  /** Property with the format number, 'format' by default. */
  readonly key?: string
  /** Format of data without a number, from releases that wrote none. If undefined, such data are refused. */
  readonly unnumbered?: number
}

type Schema<T> = {
  safeParse(json: unknown): { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } }
}
type Issue = { readonly path: readonly PropertyKey[]; readonly message: string }

/** Stored data that cannot be read. `actual`: their format, if they have one; `expected`: the newest that can be read. */
export class StoredFormError extends Error {
  readonly form: string
  readonly actual: number | undefined
  readonly expected: number
  readonly issues: readonly Issue[]
  /** Dotted path of the first issue. */
  readonly path: string
  /** Continues a sentence such as 'It cannot be read: '. */
  readonly reason: string

  constructor({ name, format }: StoredForm<unknown>, actual: number | undefined, issues: readonly Issue[]) {
    const [first] = issues
    const path = first?.path.join('.') ?? ''
    const reason = actual === format ? `at ${path}` : (first?.message ?? '')
    super(`The ${name} cannot be read: ${reason}.`)
    this.name = 'StoredFormError'
    this.form = name
    this.actual = actual
    this.expected = format
    this.issues = issues
    this.path = path
    this.reason = reason
  }
}

/** Reads stored data of any format up to the current one. `format`: the number, if it is stored elsewhere. Throws a `StoredFormError`. */
export function readStored<T>(form: StoredForm<T>, json: unknown, format = formatOf(form, json)): T {
  if (format === undefined) throw withoutFormat(form, json)
  const read = form.schema.safeParse(upgraded(form, json, format))
  if (read.success) return read.data
  throw new StoredFormError(form, form.format, read.error.issues)
}

/** Null instead of an error. */
export function readable<T>(form: StoredForm<T>, json: unknown): T | null {
  try {
    return readStored(form, json)
  } catch (error) {
    if (error instanceof StoredFormError) return null
    throw error
  }
}

/** Adds the number of the current format. */
export function numbered<T extends object>(form: StoredForm<T>, value: T): object {
  return { [keyOf(form)]: form.format, ...value }
}

/** Converts stored data to the current or another later format, without checking them. */
export function upgraded(form: StoredForm<unknown>, json: unknown, format: number, to: number = form.format): unknown {
  if (!isReadable(form, format)) {
    const message = `its format is ${format}, and this release reads formats up to ${form.format}`
    throw new StoredFormError(form, format, [{ path: [keyOf(form)], message }])
  }
  let stored = json
  for (let from = format; from < to; from++) stored = form.upgrades[from]?.(stored)
  const key = keyOf(form)
  return isRecord(stored) && stored[key] !== to ? { ...stored, [key]: to } : stored
}

function isReadable({ format, upgrades }: StoredForm<unknown>, actual: number): boolean {
  return actual === format || (actual < format && upgrades[actual] !== undefined)
}

/** Also reports all other problems. */
function withoutFormat(form: StoredForm<unknown>, json: unknown): StoredFormError {
  const key = keyOf(form)
  const read = form.schema.safeParse(json)
  const others = (read.success ? [] : read.error.issues).filter(({ path }) => path[0] !== key)
  return new StoredFormError(form, undefined, [{ path: [key], message: 'it has no format number' }, ...others])
}

function formatOf(form: StoredForm<unknown>, json: unknown): number | undefined {
  const number = isRecord(json) ? json[keyOf(form)] : undefined
  if (number === undefined) return form.unnumbered
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

function keyOf({ key = 'format' }: StoredForm<unknown>): string {
  return key
}

/** The upgrade to a format that differs only in other forms with the same number. */
export function unchanged(stored: unknown): unknown {
  return stored
}

/**
 * Restricts an upgrade to objects. Upgrades precede the check, so other values are unchanged for the check to refuse.
 */
export function ofRecord(upgrade: (stored: Readonly<Record<string, unknown>>) => object): (stored: unknown) => unknown {
  return stored => (isRecord(stored) ? upgrade(stored) : stored)
}
