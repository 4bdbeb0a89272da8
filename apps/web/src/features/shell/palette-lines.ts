import type { FoundAttribute } from '@cadmus/model/contract/attribute'
import type { CoreSchema } from '@cadmus/model/contract/navigator'
import { folderOf, isDefaultPath } from '@cadmus/model/paths'
import { useQuery } from '@tanstack/react-query'
import { attributesNamed, entityPage, entityQuery, type LoadedEntity } from '../../api/entities.ts'
import { manifestPage } from '../../api/manifests.ts'
import { keys, queryClient } from '../../api/query-client.ts'
import { openAt } from '../../commands/DocumentLink.tsx'
import type { Offer } from '../../commands/scope.ts'
import { workbench } from '../../workbench/desk.ts'
import { type DocumentRef } from '../../workbench/documents.ts'
import type { Selection } from '../../workbench/workbench.ts'
import { bestFit, fitOf, type Fit } from './palette-match.ts'

export type PaletteLine = {
  id: string
  label: string
  /** Where it is. */
  detail: string
  shortcut?: string
  kind: 'command' | 'entity' | 'manifest' | 'attribute'
  run: () => void
}

type Ranked = PaletteLine & { fit: Fit; rank: number }

/** Of each kind no more than one looks through. */
const most = { entity: 8, manifest: 8, attribute: 8, command: 40 }
/** Where two fit alike: what is one's own before the library, things before commands. */
const ranks = { own: 0, attribute: 1, library: 2, command: 3 }

/** What fits what was typed, best first; commands alone where nothing was. */
export function linesFor(typed: string, offers: readonly Offer[], found: readonly Ranked[]): PaletteLine[] {
  const commands = offers
    .filter(offer => offer.disabled === false)
    .map((offer): Ranked => {
      const fit = bestFit(offer.label, offer.synonyms, typed)
      return { ...offer, kind: 'command', detail: '', fit, rank: ranks.command }
    })
  if (typed.trim() === '') return commands
  const known = new Set(found.map(line => line.id))
  const attributes = openAttributes(typed).filter(line => !known.has(line.id))
  const library = scatteredInLibrary(typed, known)
  const left = { ...most }
  return [...found, ...library, ...attributes, ...commands]
    .filter(line => line.fit !== null)
    .toSorted((one, other) => Number(one.fit) - Number(other.fit) || one.rank - other.rank)
    .filter(line => left[line.kind]-- > 0)
}

/** Entities, manifests and attributes that the server finds, the organisation's own and those of the library. */
export function useFound(typed: string): readonly Ranked[] {
  const query = useQuery({
    queryKey: [...keys.options, 'palette', typed],
    enabled: typed !== '',
    queryFn: async ({ signal }) => {
      const page = { search: typed, limit: 20 }
      // Asked for apart, or a hundred names of the library leave no place for one's own.
      const own = { ...page, filter: 'PRIVATE' as const }
      const [ownEntities, entities, manifests, attributes] = await Promise.all([
        entityPage(own, signal),
        entityPage({ ...page, filter: 'DEFAULT' }, signal),
        manifestPage(page, signal),
        attributesNamed(typed, page.limit, signal),
      ])
      return [
        ...manifests.manifests.map(item => documentLine('manifest', item, typed)),
        ...[...ownEntities.entity, ...entities.entity].map(item => documentLine('entity', item, typed)),
        ...attributes.map(item => attributeLine(item, typed)),
      ]
    },
  })
  return typed === '' ? [] : (query.data ?? [])
}

type Named = { id: number; name: string; location: string }

function documentLine(kind: DocumentRef['kind'], { id, name, location }: Named, typed: string): Ranked {
  return {
    id: `${kind}:${id}`,
    label: name,
    detail: folderOf(location),
    kind,
    // The server found it by its folded name, so it fits somehow.
    fit: fitOf(name, typed) ?? ranks.command,
    rank: isDefaultPath(location) ? ranks.library : ranks.own,
    run: () => workbench.getState().open({ kind, id, name }),
  }
}

/** Names of the library whose letters fit in their order, which the server does not look for. */
function scatteredInLibrary(typed: string, known: ReadonlySet<string>): Ranked[] {
  const core = queryClient.getQueryData<CoreSchema>(keys.coreSchema)
  return (core?.nodes ?? []).flatMap(node => {
    if (node.kind === 'folder' || known.has(`${node.kind}:${node.id}`)) return []
    const line = documentLine(node.kind, { id: node.id, name: node.name, location: node.path }, typed)
    return fitOf(node.name, typed) === null ? [] : [line]
  })
}

/** An attribute or foreign key somewhere in the organisation or the library, and where that is. */
function attributeLine({ uid, name, entity }: FoundAttribute, typed: string): Ranked {
  return {
    id: `attribute:${entity.id}:${uid}`,
    label: name,
    detail: `${entity.name}, ${folderOf(entity.path)}`,
    kind: 'attribute',
    fit: fitOf(name, typed) ?? ranks.command,
    rank: isDefaultPath(entity.path) ? ranks.library : ranks.attribute,
    run: () => void openAttribute({ kind: 'entity', ...entity }, uid),
  }
}

/** Opens the entity at the row; which of its tables has that is known once it is there. */
async function openAttribute(document: DocumentRef, uid: string): Promise<void> {
  workbench.getState().open(document)
  // What cannot be read says so in the document's place.
  const loaded = await queryClient.fetchQuery(entityQuery(document.id)).catch(() => null)
  if (loaded?.entity.typeAttributes.some(row => row.uid === uid))
    openAt(document, { row: { kind: 'typeAttribute', uid } })
  else if (loaded) openAt(document, { row: { kind: 'entityAttribute', uid } })
}

/** Attributes and foreign keys of the open entities, whose letters may lie apart, too. */
function openAttributes(typed: string): Ranked[] {
  return workbench.getState().tabs.flatMap(tab => {
    const loaded = tab.kind === 'entity' ? queryClient.getQueryData<LoadedEntity>(keys.entity(tab.id)) : undefined
    if (!loaded) return []
    const line = (kind: Selection['kind'], uid: string, name: string): Ranked => ({
      id: `attribute:${tab.id}:${uid}`,
      label: name,
      detail: `${loaded.entity.name}, ${folderOf(loaded.entity.path)}`,
      kind: 'attribute',
      fit: fitOf(name, typed),
      rank: ranks.attribute,
      run: () => openAt(tab, { row: { kind, uid } }),
    })
    return [
      ...loaded.entity.typeAttributes.map(({ uid, name }) => line('typeAttribute', uid, name)),
      ...loaded.entity.entityAttributes.map(item => line('entityAttribute', item.uid, item.foreignKeyTypeAttribute)),
    ]
  })
}
