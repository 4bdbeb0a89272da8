import { useQuery } from '@tanstack/react-query'
import { referencesQuery } from '../../api/entities.ts'
import { useWorkbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { PropertyTable, type PropertyGroup } from '../../ui/PropertyTable.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { attributeProperties } from './attribute-properties.ts'
import { entityProperties } from './entity-properties.ts'
import { relationshipProperties } from './relationship-properties.ts'
import { useEntityView, type EntityView } from './entity-view.ts'
import { referenceGroup, shownReferences, type References } from './related.tsx'
import { useScopes } from './use-scopes.ts'
import { useTargets, type Target } from './use-targets.ts'

/** The properties of an entity, and of the attribute or relationship that is chosen in its document. */
export function EntityProperties({ id }: { id: number }) {
  const { view, error } = useEntityView(id)
  const selection = useWorkbench(state => state.selections.get(tabIdOf({ kind: 'entity', id })))
  const scopes = useScopes(id)
  const references = useReferences(id)
  // Of several relationships the one chosen last; of several attributes none.
  const uid = selection?.kind === 'entityAttribute' || selection?.uids.length === 1 ? selection.uids.at(-1) : undefined
  const targets = useTargets(associatedOf(view, selection?.kind, uid))
  // The document's place says why.
  if (!view && error) return null
  if (!view) return <Skeleton lines={8} />
  const chosen = uid === undefined ? null : chosenGroup(view, selection?.kind, uid, targets)
  const referring = references ? referenceGroup(references) : null
  return (
    <PropertyTable
      key={id}
      groups={[...(chosen ? [chosen] : []), entityProperties(view, scopes), ...(referring ? [referring] : [])]}
      locked={view.locked}
    />
  )
}

function chosenGroup(
  view: EntityView,
  kind: string | undefined,
  uid: string,
  targets: readonly Target[],
): PropertyGroup | null {
  const group = kind === 'typeAttribute' ? attributeProperties(view, uid) : relationshipProperties(view, uid, targets)
  // Of the next row nothing is kept that was half typed into this one.
  return group && { ...group, id: `${group.id} ${uid}` }
}

/** To which entity the chosen relationship leads. */
function associatedOf(view: EntityView | null, kind: string | undefined, uid: string | undefined): number | null {
  if (kind !== 'entityAttribute') return null
  const chosen = view?.draft.content.entityAttributes.find(row => row.uid === uid)
  return chosen && chosen.associatedEntity.id >= 0 ? chosen.associatedEntity.id : null
}

/** What refers to the entity; a failed fetch yields nothing. */
function useReferences(id: number): References | undefined {
  return useQuery(referencesQuery('entity', id, shownReferences)).data
}
