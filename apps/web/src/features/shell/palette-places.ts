import type { Match, MatchKind } from '@cadmus/model/contract/search'
import { paletteTexts } from '@cadmus/model/messages/palette'
import { folderOf, isDefaultPath } from '@cadmus/model/paths'
import type { Mark } from '@cadmus/model/search/match-text'
import { openAt, type DocumentPlace } from '../../commands/DocumentLink.tsx'
import { tabIdOf, type AddressedKind, type DocumentRef } from '../../workbench/documents.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { wordStart, type Fit } from './palette-match.ts'
import type { Subject } from './palette-verbs.ts'

export type LineKind = MatchKind | 'configuration' | 'command'

export type PaletteLine = {
  id: string
  label: string
  /** Matching parts of the label. */
  marks?: readonly Mark[]
  detail: string
  shortcut?: string
  isRecent?: boolean
  kind: LineKind
  run: () => void
  /** Opens in the background; absent for commands. */
  beside?: () => void
}

/** A line before matching. */
export type Place = PaletteLine & {
  rank: number
  /** The document, for commands on it. */
  subject?: Subject
  /** The server's rank, as a match that is not only of the label. */
  serverFit?: Fit
}

/** Tie-breaker: own documents, then their parts, the library, commands, and texts about something. */
export const ranks = { own: 0, part: 1, library: 2, command: 3, text: 4, libraryText: 5 }

export type Named = { id: number; name: string; location: string; type?: string }

export function documentLine(kind: Exclude<AddressedKind, 'logs'>, item: Named): Place {
  const { id, name, location } = item
  const subject = subjectOf(kind, item)
  return {
    ...(subject ? { subject } : {}),
    id: `${kind}:${id}`,
    label: name,
    detail: folderOf(location),
    kind,
    rank: isDefaultPath(location) ? ranks.library : ranks.own,
    ...opening({ kind, id, name, path: location }),
  }
}

function subjectOf(kind: DocumentRef['kind'], { id, name, location: path, type }: Named): Subject | undefined {
  const document = { id, name, path, isDefault: isDefaultPath(path) }
  if (kind === 'manifest') return { kind, ...document, parent: null }
  return kind === 'entity' && type !== undefined ? { kind, ...document, type, manifest: null } : undefined
}

/** A match of the server. */
export function matchLine(match: Match): Place {
  const { kind, document, row, text, marks, rank } = match
  if (kind === 'entity' || kind === 'manifest') {
    const line = documentLine(kind, { ...document, location: document.path })
    return { ...line, marks, serverFit: rank }
  }
  const { id, name, path } = document
  const reference =
    document.kind === 'configuration'
      ? { kind: document.kind, id, name: `${name} Configuration`, path }
      : { kind: document.kind, id, name, path }
  const place = document.kind === 'configuration' ? { tab: 'scopes' } : { row: row ?? undefined }
  const isText = kind === 'description'
  const isLibrary = isDefaultPath(path)
  return {
    id: `${kind}:${document.kind}:${id}:${row?.uid ?? ''}${kind === 'choice' || kind === 'scope' ? `:${text}` : ''}`,
    label: text,
    marks,
    detail: `${wordsOf(match)}, ${folderOf(path)}`,
    kind,
    rank: isText ? (isLibrary ? ranks.libraryText : ranks.text) : isLibrary ? ranks.library : ranks.part,
    // Parts of the library come after own documents.
    serverFit: isText || isLibrary ? Math.max(rank, wordStart) : rank,
    ...opening(reference, place, document.kind === 'entity' && row === null),
  }
}

function wordsOf({ kind, document, row, detail }: Match): string {
  const { name } = document
  switch (kind) {
    case 'relationship':
      return paletteTexts.relationship(name, detail)
    case 'choice':
      return paletteTexts.choice(name, row?.name ?? '')
    case 'scope':
      return document.kind === 'configuration' ? paletteTexts.scopeDefinition(name) : paletteTexts.scope(name, detail)
    case 'description':
      return paletteTexts.description(name, row?.name ?? '')
    default:
      return paletteTexts.attribute(name)
  }
}

/** How a line opens its document at a place. `own`: with the properties of the document itself. */
export function opening(
  document: DocumentRef,
  place: DocumentPlace = {},
  own = false,
): Required<Pick<PaletteLine, 'run' | 'beside'>> {
  const open = (beside: boolean) => {
    openAt(document, place, beside)
    const { select, set } = workbench.getState()
    if (own) select(tabIdOf(document), null)
    if (!beside && (own || place.row)) set({ propertiesOpen: true })
  }
  return { run: () => open(false), beside: () => open(true) }
}
