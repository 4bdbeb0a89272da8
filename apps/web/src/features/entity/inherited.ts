import type { Column } from '@cadmus/model/columns'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { foldName } from '@cadmus/model/paths'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { entityQuery } from '../../api/entities.ts'
import type { EntityView } from './entity-view.ts'

type Resolved = NonNullable<EntityAnswer['resolvedAttributes']>

/** Attributes inherited from all ancestors and not redeclared; names compare case-insensitively. */
export function inheritedAttributes(
  parent: Pick<EntityAnswer, 'resolvedAttributes'>,
  { typeAttributes, entityAttributes }: EntityContent,
): Resolved {
  const own = [...typeAttributes.map(row => row.name), ...entityAttributes.map(row => row.foreignKeyTypeAttribute)]
  const ownNames = new Set(own.map(foldName))
  return (parent.resolvedAttributes ?? []).filter(row => !ownNames.has(foldName(row.name)))
}

/** Columns of the sheet that an inherited attribute has a value for. */
export const inheritedColumns: readonly string[] = [
  'name',
  'dataType',
  'length',
  'nullable',
  'choices',
  'description',
  'purpose',
]

export type InheritedRows = { rows: readonly Column[]; declaredBy: ReadonlyMap<string, EntityReference> }

const none: InheritedRows = { rows: [], declaredBy: new Map() }

/** The inherited attributes as rows of the sheet, the key first; none unless they are shown. */
export function useInheritedRows({ draft: { content } }: EntityView, isShown: boolean): InheritedRows {
  const parent = content.extendsEntity
  const { data } = useQuery({ ...entityQuery(parent?.id ?? 0), enabled: isShown && parent !== null })
  const isRead = isShown && parent !== null && data !== undefined
  return useMemo(() => (isRead ? rowsOf(inheritedAttributes(data.entity, content)) : none), [isRead, data, content])
}

function rowsOf(attributes: Resolved): InheritedRows {
  const keyFirst = attributes.toSorted((a, b) => Number(b.isPrimaryKey) - Number(a.isPrimaryKey))
  const uidOf = ({ name }: { name: string }) => `inherited ${name}`
  return {
    rows: keyFirst.map(({ declaredBy, isPrimaryKey, kind: _kind, origin: _origin, ...fields }) => ({
      ...newTypeAttribute({
        ...fields,
        position: 0,
        purpose: isPrimaryKey ? 'identifiedBy' : 'hasA',
        description: sheetTexts.inheritedFrom(declaredBy.name),
      }),
      uid: uidOf(fields),
    })),
    declaredBy: new Map(keyFirst.map(attribute => [uidOf(attribute), attribute.declaredBy])),
  }
}
