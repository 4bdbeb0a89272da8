import type { ReferenceItem } from '@cadmus/model/contract/shared'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { DocumentLink, type DocumentPlace } from '../../commands/DocumentLink.tsx'
import { placeOfReference } from '../../commands/references.ts'
import { ambiguousFolders } from '../../commands/ambiguous-folders.ts'
import type { ReadFailure } from '../../ui/Field.tsx'
import { FolderPath } from '../../ui/FolderPath.tsx'
import { RetryButton } from '../../ui/RetryButton.tsx'
import type { EntityView } from './entity-view.ts'
import type { Property, PropertyGroup } from '../../ui/property.ts'
import inline from '../../ui/Inline.module.css'
import styles from './EntityDocument.module.css'

/** Folders that distinguish the entity and the entities it refers to from others of the same name. */
export function foldersIn({ entity, draft: { content } }: Pick<EntityView, 'entity' | 'draft'>): Folders {
  const { extendsEntity, entityAttributes } = content
  const named = entityAttributes.map(row => row.associatedEntity).filter(({ id }) => id >= 0)
  return ambiguousFolders([entity, ...(extendsEntity ? [extendsEntity] : []), ...named])
}
export type Folders = ReadonlyMap<number, string>

/** A name, followed by its folder if the name is ambiguous. Both shrink, the end of the folder last. */
export function WithFolder({ folder, children }: { folder: string | undefined; children: ReactNode }) {
  if (folder === undefined) return children
  return (
    <span className={styles['named']}>
      {children}
      <FolderPath folder={` ${folder}`} className={styles['folder']} />
    </span>
  )
}

export function entityProperty(id: string, label: string, entity: EntityReference | null, folders: Folders): Property {
  // An entity missing from the store has no page.
  if (!entity || entity.id < 0) return { id, label, editor: 'shown', value: entity?.name ?? '' }
  const render = () => (
    <span className={inline['value']}>
      <WithFolder folder={folders.get(entity.id)}>
        <DocumentLink document={{ kind: 'entity', ...entity }}>{entity.name}</DocumentLink>
      </WithFolder>
    </span>
  )
  return { id, label, editor: 'custom', render }
}

/** Link beside an editor to the entity in the editor. */
export function goTo(entity: EntityReference, place?: DocumentPlace) {
  if (entity.id < 0) return undefined
  return (
    <span className={styles['goTo']}>
      <DocumentLink document={{ kind: 'entity', ...entity }} place={place ?? {}} label={`Open ${entity.name}`}>
        <ArrowUpRight size={14} aria-hidden />
      </DocumentLink>
    </span>
  )
}

type Named = { id: number; name: string; path: string }
export type References = { references: readonly ReferenceItem[]; totalElements: number }

export function referenceGroup({ references, totalElements }: References, entity: Named): PropertyGroup | null {
  if (references.length === 0) return null
  // Ids are unique per kind only: compare names within a kind.
  const folders = {
    entity: ambiguousFolders([entity, ...references.filter(item => item.document === 'entity')]),
    manifest: ambiguousFolders(references.filter(item => item.document === 'manifest')),
  }
  const properties = references.map((item, at): Property => ({
    id: `${at} ${item.uid} ${item.itemUid ?? item.item}`,
    label: capitalized(messages.referring.kinds[item.kind](item.item)),
    editor: 'custom',
    render: () => (
      <span className={inline['value']}>
        <WithFolder folder={folders[item.document].get(item.id)}>
          <DocumentLink document={placeOfReference(item).document} place={placeOf(item)}>
            {item.name}
          </DocumentLink>
        </WithFolder>
      </span>
    ),
  }))
  const more = totalElements - references.length
  if (more > 0) properties.push({ id: 'more', label: '', editor: 'shown', value: messages.referring.more(more) })
  return { id: 'references', title: messages.referring.title(totalElements), properties }
}

/** Replaces the group if reading the references failed. */
export function referencesError({ message, busy, retry }: ReadFailure): PropertyGroup {
  const render = () => (
    <div role="alert" className={styles['unread']}>
      {message}
      <RetryButton busy={busy} retry={retry} />
    </div>
  )
  return {
    id: 'references',
    title: 'References',
    properties: [{ id: 'unread', label: 'Not read', editor: 'custom', render }],
  }
}

export const maxReferences = limits.treePageSize

function placeOf(item: ReferenceItem): DocumentPlace {
  const { kind, itemUid } = item
  if (kind === 'relationship' || kind === 'alternativeTarget')
    return itemUid === null ? { tab: 'relationships' } : { row: { kind: 'entityAttribute', uid: itemUid } }
  const { tab } = placeOfReference(item)
  return tab === undefined ? {} : { tab }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
