import { keyDataTypes, type KeyDataType } from '@cadmus/model/type-attribute'
import { useQuery } from '@tanstack/react-query'
import { entityQuery, type LoadedEntity } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'

/** An attribute that a foreign key may point at: inherited ones included, integers and strings only. */
export type Target = { name: string; isPrimaryKey: boolean; dataType: KeyDataType }

/** The target attributes of an entity; a failed fetch yields none (document 1 §7). */
export function useTargets(entityId: number | null): readonly Target[] {
  const { data } = useQuery({ ...entityQuery(entityId ?? 0), enabled: entityId !== null })
  return entityId !== null && data ? targetsOf(data) : []
}

export async function loadTargets(entityId: number): Promise<readonly Target[]> {
  return queryClient.fetchQuery(entityQuery(entityId)).then(targetsOf, () => [])
}

function targetsOf({ entity }: LoadedEntity): Target[] {
  return (entity.resolvedAttributes ?? []).flatMap(({ name, isPrimaryKey, dataType }) => {
    const keyType = keyDataTypes.find(type => type === dataType)
    return keyType ? [{ name, isPrimaryKey, dataType: keyType }] : []
  })
}
