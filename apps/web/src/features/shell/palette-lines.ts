import type { CoreSchema } from '@cadmus/model/contract/navigator'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { paletteTexts } from '@cadmus/model/messages/palette'
import { folderOf } from '@cadmus/model/paths'
import { marksIn, searchTerms } from '@cadmus/model/search/match-text'
import { useQuery } from '@tanstack/react-query'
import type { LoadedEntity } from '../../api/entities.ts'
import { entityPage, manifestPage } from '../../api/lists.ts'
import { keyIn, keys, queryClient, scoped } from '../../api/query-client.ts'
import { readFailure } from '../../api/read-failure.ts'
import { isAdministration } from '../../api/scope.ts'
import { searchFor } from '../../api/search.ts'
import type { AppContext } from '../../commands/context.ts'
import { commandsAt } from '../../commands/registry.ts'
import { synonymsOf } from '../../commands/synonyms.ts'
import type { Offer } from '../../commands/use-commands.ts'
import type { ReadFailure } from '../../ui/Field.tsx'
import { tabIdOf } from '../../workbench/documents.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { recentDocuments } from '../../workbench/recent.ts'
import type { Selection } from '../../workbench/workbench.ts'
import { bestFit, fitOf, type Fit } from './palette-match.ts'
import {
  documentLine,
  matchLine,
  opening,
  ranks,
  type LineKind,
  type PaletteLine,
  type Place,
} from './palette-places.ts'
import { verbLines } from './palette-verbs.ts'
import { recentCommands } from './recent-commands.ts'

type Ranked = Place & { fit: Fit }

const none: readonly Place[] = []

/** Maximum number of lines per kind. */
const maxLines = {
  entity: 8,
  manifest: 8,
  configuration: 8,
  attribute: 8,
  relationship: 6,
  choice: 5,
  scope: 5,
  description: 5,
  command: 40,
} as const satisfies Record<LineKind, number>
/** Recent documents and commands without input. */
const maxRecent = { documents: 6, commands: 4 }

/**
 * Lines matching the input, best first; without input, what the user opened and ran last, then all commands. Lines with
 * ids in `pinned` keep their order, and later matches follow them.
 */
export function linesFor(
  typed: string,
  offers: readonly Offer[],
  { lines: serverLines, named, own }: Pick<ServerMatches, 'lines' | 'named' | 'own'>,
  { pinned = [], context }: { pinned?: readonly string[]; context?: AppContext | undefined } = {},
): PaletteLine[] {
  const commands = offers
    .filter(offer => offer.disabled === false && !(offer.onlySearched && typed.trim() === ''))
    .map((offer): Ranked => {
      const fit = bestFit(offer.label, synonymsOf(offer.id), typed)
      return { ...offer, kind: 'command', fit, rank: ranks.command }
    })
  if (typed.trim() === '') return withRecent(commands, context !== undefined)
  const places = new Map(pinned.map((id, index) => [id, index]))
  const placeOf = ({ id }: Ranked) => places.get(id) ?? places.size
  const left: Record<LineKind, number> = { ...maxLines }
  const documents = [...serverLines, ...own, ...openDocuments(), ...inLibrary()]
  const terms = searchTerms(typed)
  return [
    ...onceEach([...documents, ...openAttributes()], typed),
    ...verbs(typed, [...named, ...documents], context),
    ...commands,
  ]
    .filter(line => line.fit !== null)
    .toSorted(
      (one, other) => placeOf(one) - placeOf(other) || Number(one.fit) - Number(other.fit) || one.rank - other.rank,
    )
    .filter(line => left[line.kind]-- > 0)
    .map(line => ({ ...line, marks: line.marks ?? marksIn(line.label, terms) }))
}

/** Recent documents, recent commands, then the others. The shown document needs no line. */
function withRecent(commands: readonly Ranked[], hasDocuments: boolean): PaletteLine[] {
  const { active } = workbench.getState()
  const documents = hasDocuments
    ? recentDocuments()
        .filter(document => tabIdOf(document) !== active)
        .slice(0, maxRecent.documents)
        .map(({ kind, id, name, path = '' }) => documentLine(kind, { id, name, location: path }))
    : []
  const byId = new Map(commands.map(command => [command.id, command]))
  const recent = recentCommands()
    .flatMap(id => byId.get(id) ?? [])
    .slice(0, maxRecent.commands)
  const others = new Set(commands).difference(new Set(recent))
  return [...[...documents, ...recent].map(line => ({ ...line, isRecent: true })), ...others]
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
  /** Documents that one of several words names, for commands on them. */
  named: readonly Place[]
  /** The organisation's first documents, matching or not. */
  own: readonly Place[]
  /** The response is outstanding: the lines shown may not be the best. */
  pending: boolean
  failure: ReadFailure | null
}

/** What the server finds in the organisation and the library. */
export function useServerMatches(typed: string): ServerMatches {
  const query = useQuery({
    enabled: typed !== '',
    ...scoped([...keys.options, 'palette', typed], async options => {
      const { matches, named } = await searchFor(typed, options)
      return {
        lines: matches.map(matchLine),
        named: named.flatMap(({ kind, path: location, ...document }) =>
          kind === 'configuration' ? [] : [documentLine(kind, { ...document, location })],
        ),
      }
    }),
  })
  const own = useOwn()
  const matches = typed === '' ? undefined : query.data
  return {
    lines: matches?.lines ?? none,
    named: matches?.named ?? none,
    own,
    pending: query.isLoading,
    failure: typed === '' ? null : readFailure(query, messages.failed.search),
  }
}

/**
 * The organisation's first documents, loaded before typing: they appear at once in their final place, and match by
 * scattered letters, which the server does not support.
 */
function useOwn(): readonly Place[] {
  const query = useQuery(
    scoped([...keys.options, 'palette-own'], async options => {
      const page = { limit: limits.listLimit.max, filter: 'PRIVATE' as const }
      const [entities, manifests] = await Promise.all([entityPage(page, options), manifestPage(page, options)])
      return [
        ...manifests.manifests.map(item => documentLine('manifest', item)),
        ...entities.entity.map(item => documentLine('entity', item)),
      ]
    }),
  )
  return query.data ?? none
}

/** Match quality per line; of duplicate lines the first counts. */
function onceEach(places: readonly Place[], typed: string): Ranked[] {
  const byId = new Map<string, Ranked>()
  for (const place of places) {
    if (byId.has(place.id)) continue
    byId.set(place.id, { ...place, fit: place.serverFit ?? fitOf(place.label, typed) })
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

/** Names of the library, also matched by scattered letters. */
function inLibrary(): Place[] {
  const core = queryClient.getQueryData<CoreSchema>(keys.coreSchema)
  return (core?.nodes ?? []).flatMap(node =>
    node.kind === 'folder' ? [] : [documentLine(node.kind, { id: node.id, name: node.name, location: node.path })],
  )
}

/** Attributes and foreign keys of open entities, also matched by scattered letters. */
function openAttributes(): Place[] {
  return workbench.getState().tabs.flatMap(tab => {
    const loaded =
      tab.kind === 'entity' ? queryClient.getQueryData<LoadedEntity>(keyIn(keys.entity(tab.id))) : undefined
    if (!loaded) return []
    const { name: entity, path, typeAttributes, entityAttributes } = loaded.entity
    const line = (kind: Selection['kind'], uid: string, label: string, words: string): Place => ({
      id: `${kind === 'typeAttribute' ? 'attribute' : 'relationship'}:entity:${tab.id}:${uid}`,
      label,
      detail: `${words}, ${folderOf(path)}`,
      kind: kind === 'typeAttribute' ? 'attribute' : 'relationship',
      rank: ranks.part,
      ...opening(tab, { row: { kind, uid } }),
    })
    return [
      ...typeAttributes.map(({ uid, name }) => line('typeAttribute', uid, name, paletteTexts.attribute(entity))),
      ...entityAttributes.map(({ uid, foreignKeyTypeAttribute: name, associatedEntity }) =>
        line('entityAttribute', uid, name, paletteTexts.relationship(entity, associatedEntity.name)),
      ),
    ]
  })
}
