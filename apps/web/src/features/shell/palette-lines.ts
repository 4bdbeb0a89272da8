import type { AttributeMatch } from '@cadmus/model/contract/entity'
import type { CoreSchema } from '@cadmus/model/contract/navigator'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { folderOf, isDefaultPath } from '@cadmus/model/paths'
import { useQuery } from '@tanstack/react-query'
import { attributesNamed, entityQuery, type LoadedEntity } from '../../api/entities.ts'
import { entityPage, manifestPage } from '../../api/lists.ts'
import { keyIn, keys, queryClient, scoped } from '../../api/query-client.ts'
import type { CallOptions } from '../../api/send.ts'
import { readFailure } from '../../api/read-failure.ts'
import { isAdministration } from '../../api/scope.ts'
import { openAt } from '../../commands/DocumentLink.tsx'
import type { AppContext } from '../../commands/context.ts'
import { commandsAt } from '../../commands/registry.ts'
import type { Offer } from '../../commands/use-commands.ts'
import { synonymsOf } from '../../commands/synonyms.ts'
import type { ReadFailure } from '../../ui/Field.tsx'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf, type AddressedKind, type DocumentRef } from '../../workbench/documents.ts'
import type { Selection } from '../../workbench/workbench.ts'
import { bestFit, fitOf, type Fit } from './palette-match.ts'
import { verbLines, type Subject } from './palette-verbs.ts'

export type PaletteLine = {
  id: string
  label: string
  detail: string
  shortcut?: string
  kind: 'command' | 'entity' | 'manifest' | 'configuration' | 'attribute'
  run: () => void
}

/** A line before matching. */
type Place = PaletteLine & {
  rank: number
  /** The document, for commands on it. */
  subject?: Subject
  /** Matched by the server on its folded name, so always a match. */
  isServerMatch?: boolean
}
type Ranked = Place & { fit: Fit }

const none: readonly Place[] = []
/** Maximum number of words of a text that are searched as names of documents. */
const maxNames = 3

/** Maximum number of lines per kind. */
const maxLines = { entity: 8, manifest: 8, configuration: 8, attribute: 8, command: 40 }
/** Tie-breaker: own documents before the library, documents before commands. */
const ranks = { own: 0, attribute: 1, library: 2, command: 3 }

/**
 * Lines matching the input, best first; only commands if it is empty. Lines with ids in `pinned` keep their order, and
 * later matches follow them.
 */
export function linesFor(
  typed: string,
  offers: readonly Offer[],
  { lines: serverLines, own }: Pick<ServerMatches, 'lines' | 'own'>,
  { pinned = [], context }: { pinned?: readonly string[]; context?: AppContext | undefined } = {},
): PaletteLine[] {
  const commands = offers
    .filter(offer => offer.disabled === false)
    .map((offer): Ranked => {
      const fit = bestFit(offer.label, synonymsOf(offer.id), typed)
      return { ...offer, kind: 'command', detail: '', fit, rank: ranks.command }
    })
  if (typed.trim() === '') return commands
  const places = new Map(pinned.map((id, index) => [id, index]))
  const placeOf = ({ id }: Ranked) => places.get(id) ?? places.size
  const left = { ...maxLines }
  const documents = [...serverLines, ...own, ...openDocuments(), ...inLibrary()]
  return [...onceEach([...documents, ...openAttributes()], typed), ...verbs(typed, documents, context), ...commands]
    .filter(line => line.fit !== null)
    .toSorted(
      (one, other) => placeOf(one) - placeOf(other) || Number(one.fit) - Number(other.fit) || one.rank - other.rank,
    )
    .filter(line => left[line.kind]-- > 0)
}

function verbs(typed: string, places: readonly Place[], context: AppContext | undefined): Ranked[] {
  if (context === undefined) return []
  const subjects = new Map(places.flatMap(({ id, subject }) => (subject ? [[id, subject]] : [])))
  const commands = commandsAt(isAdministration() ? 'admin' : 'tree')
  return verbLines(typed, [...subjects.values()], commands, context).map(line => ({
    ...line,
    kind: 'command',
    rank: ranks.own,
  }))
}

export type ServerMatches = {
  lines: readonly Place[]
  /** All documents of the organisation, matching or not. */
  own: readonly Place[]
  /** The response is outstanding: the lines shown may not be the best. */
  pending: boolean
  failure: ReadFailure | null
}

/** Entities, manifests and attributes that the server finds in the organisation and the library. */
export function useServerMatches(typed: string): ServerMatches {
  const query = useQuery({
    enabled: typed !== '',
    ...scoped([...keys.options, 'palette', typed], async options => {
      const page = { search: typed, limit: 20 }
      // Separate request, because the library could otherwise displace own entities.
      const own = { ...page, filter: 'PRIVATE' as const }
      // A text of several words may name a document and a command on it.
      const names = typed.split(/\s+/).slice(0, maxNames)
      const [subjects, ownEntities, entities, manifests, attributes] = await Promise.all([
        Promise.all(names.length > 1 ? names.map(search => namedDocuments({ ...own, search }, options)) : []),
        entityPage(own, options),
        entityPage({ ...page, filter: 'DEFAULT' }, options),
        manifestPage(page, options),
        attributesNamed(typed, page.limit, options),
      ])
      const matches = [
        ...manifests.manifests.map(item => documentLine('manifest', item)),
        ...[...ownEntities.entity, ...entities.entity].map(item => documentLine('entity', item)),
        ...attributes.map(attributeLine),
      ]
      return [...matches.map(line => ({ ...line, isServerMatch: true })), ...subjects.flat()]
    }),
  })
  const own = useOwn()
  return {
    lines: typed === '' ? [] : (query.data ?? []),
    own,
    pending: query.isLoading,
    failure: typed === '' ? null : readFailure(query, messages.failed.search),
  }
}

/** The first own names, loaded before typing: they appear at once in their final place. */
function useOwn(): readonly Place[] {
  const query = useQuery(
    scoped([...keys.options, 'palette-own'], async options => {
      const page = { limit: limits.listLimit.max, filter: 'PRIVATE' as const }
      return namedDocuments(page, options)
    }),
  )
  return query.data ?? none
}

type Search = { search?: string; limit: number; filter: 'PRIVATE' }

async function namedDocuments(page: Search, options: CallOptions): Promise<Place[]> {
  const [entities, manifests] = await Promise.all([entityPage(page, options), manifestPage(page, options)])
  return [
    ...manifests.manifests.map(item => documentLine('manifest', item)),
    ...entities.entity.map(item => documentLine('entity', item)),
  ]
}

type Named = { id: number; name: string; location: string; type?: string }

function documentLine(kind: Exclude<AddressedKind, 'logs'>, item: Named): Place {
  const { id, name, location } = item
  const subject = subjectOf(kind, item)
  return {
    ...(subject ? { subject } : {}),
    id: `${kind}:${id}`,
    label: name,
    detail: folderOf(location),
    kind,
    rank: isDefaultPath(location) ? ranks.library : ranks.own,
    run: () => workbench.getState().open({ kind, id, name, path: location }),
  }
}

function subjectOf(kind: DocumentRef['kind'], { id, name, location: path, type }: Named): Subject | undefined {
  const document = { id, name, path, isDefault: isDefaultPath(path) }
  if (kind === 'manifest') return { kind, ...document, parent: null }
  return kind === 'entity' && type !== undefined ? { kind, ...document, type, manifest: null } : undefined
}

/** Match quality per line; of duplicate lines the first counts. */
function onceEach(places: readonly Place[], typed: string): Ranked[] {
  const byId = new Map<string, Ranked>()
  for (const place of places) {
    if (byId.has(place.id)) continue
    byId.set(place.id, { ...place, fit: fitOf(place.label, typed) ?? (place.isServerMatch ? ranks.command : null) })
  }
  return [...byId.values()]
}

/** Open documents, also matched by scattered letters. */
function openDocuments(): Place[] {
  return workbench.getState().tabs.flatMap(({ kind, id, name, path }) =>
    // The logs have a command.
    path === undefined || kind === 'logs' || kind === 'organisation'
      ? []
      : [documentLine(kind, { id, name, location: path })],
  )
}

/** Names of the library, also matched by scattered letters, which the server does not support. */
function inLibrary(): Place[] {
  const core = queryClient.getQueryData<CoreSchema>(keys.coreSchema)
  return (core?.nodes ?? []).flatMap(node =>
    node.kind === 'folder' ? [] : [documentLine(node.kind, { id: node.id, name: node.name, location: node.path })],
  )
}

function attributeLine({ uid, name, entity }: AttributeMatch): Place {
  return {
    id: `attribute:${entity.id}:${uid}`,
    label: name,
    detail: `${entity.name}, ${folderOf(entity.path)}`,
    kind: 'attribute',
    rank: isDefaultPath(entity.path) ? ranks.library : ranks.attribute,
    run: () => void openAttribute({ kind: 'entity', ...entity }, uid),
  }
}

/** Opens the entity and reveals the row, once it is known which table has it. */
async function openAttribute(document: DocumentRef, uid: string): Promise<void> {
  workbench.getState().open(document)
  // The document shows a failed read.
  const loaded = await queryClient.fetchQuery(entityQuery(document.id)).catch(() => null)
  // Skip if the user has moved on.
  if (workbench.getState().active !== tabIdOf(document)) return
  if (loaded?.entity.typeAttributes.some(row => row.uid === uid))
    openAt(document, { row: { kind: 'typeAttribute', uid } })
  else if (loaded) openAt(document, { row: { kind: 'entityAttribute', uid } })
}

/** Attributes and foreign keys of open entities, also matched by scattered letters. */
function openAttributes(): Place[] {
  return workbench.getState().tabs.flatMap(tab => {
    const loaded =
      tab.kind === 'entity' ? queryClient.getQueryData<LoadedEntity>(keyIn(keys.entity(tab.id))) : undefined
    if (!loaded) return []
    const line = (kind: Selection['kind'], uid: string, name: string): Place => ({
      id: `attribute:${tab.id}:${uid}`,
      label: name,
      detail: `${loaded.entity.name}, ${folderOf(loaded.entity.path)}`,
      kind: 'attribute',
      rank: ranks.attribute,
      run: () => openAt(tab, { row: { kind, uid } }),
    })
    return [
      ...loaded.entity.typeAttributes.map(({ uid, name }) => line('typeAttribute', uid, name)),
      ...loaded.entity.entityAttributes.map(item => line('entityAttribute', item.uid, item.foreignKeyTypeAttribute)),
    ]
  })
}
