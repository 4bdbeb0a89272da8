import { useWorkbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { PropertyTable, type PropertyGroup } from '../../ui/PropertyTable.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { attributeProperties } from './attribute-properties.ts'
import { entityProperties } from './entity-properties.ts'
import { relationshipProperties } from './relationship-properties.ts'
import { useEntityView, type EntityView } from './entity-view.ts'
import { useScopes } from './use-scopes.ts'

/** The properties of an entity, and of the attribute or relationship that is chosen in its document. */
export function EntityProperties({ id }: { id: number }) {
  const { view } = useEntityView(id)
  const selection = useWorkbench(state => state.selections.get(tabIdOf({ kind: 'entity', id })))
  const scopes = useScopes(id)
  if (!view) return <Skeleton lines={8} />
  // Of several relationships the one chosen last; of several attributes none.
  const uid = selection?.kind === 'entityAttribute' || selection?.uids.length === 1 ? selection.uids.at(-1) : undefined
  const chosen = uid === undefined ? null : chosenGroup(view, selection?.kind, uid)
  return (
    <PropertyTable
      key={`${id} ${uid ?? ''}`}
      groups={[...(chosen ? [chosen] : []), entityProperties(view, scopes)]}
      locked={view.locked}
    />
  )
}

function chosenGroup(view: EntityView, kind: string | undefined, uid: string): PropertyGroup | null {
  if (kind === 'typeAttribute') return attributeProperties(view, uid)
  return kind === 'entityAttribute' ? relationshipProperties(view, uid) : null
}
