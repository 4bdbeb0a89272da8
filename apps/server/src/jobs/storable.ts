import { ImportError, quoted } from '@cadmus/formats/import-error'
import type { ImportLine } from '../commands/manifest/import-messages.ts'

/** Bytes in UTF-8. The store's indexes hold names and paths completely. */
const limits = { name: 600, path: 2000 }

type Thing = { name: string; path: string }

/**
 * Replaces control characters and invalid surrogates, which databases cannot store, and reports the change. Throws
 * ImportError for overlong names or paths. Names that break only naming rules are unchanged.
 */
export function storableThing({ name, path }: Thing): { name: string; lines: ImportLine[] } {
  for (const [kind, text] of [['name', name] as const, ['path', path] as const]) {
    if (Buffer.byteLength(text) <= limits[kind]) continue
    const place = kind === 'name' ? `, in ${quoted(path)},` : ''
    throw new ImportError('too-large', `The ${kind} ${quoted(text)}${place} is too long.`)
  }
  const shown = storableText(name)
  if (shown === name) return { name, lines: [] }
  const message = `The name ${quoted(name)} contains characters that are not allowed; each was replaced with "${replacement}".`
  return { name: shown, lines: [{ severity: 'warning', path, message }] }
}

const replacement = '\uFFFD'

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, replacement)
}
