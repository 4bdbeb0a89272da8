import { keyDataTypes, type KeyDataType } from '@cadmus/model/type-attribute'
import { useQuery } from '@tanstack/react-query'
import { entityQuery, type LoadedEntity } from '../../api/entities.ts'
import { readFailure } from '../../api/read-failure.ts'
import type { ReadFailure } from '../../ui/Field.tsx'

/** An attribute that a foreign key may reference: own or inherited, integer or string. */
export type Target = { name: string; isPrimaryKey: boolean; dataType: KeyDataType }
export type Targets = { targets: readonly Target[]; isRead: boolean; failure: ReadFailure | null }

const none: readonly Target[] = []

/** Possible targets in an entity. A failed read yields none (document 1 §7), with its error and a retry. */
export function useTargets(entityId: number | null): Targets {
  const query = useQuery({ ...entityQuery(entityId ?? 0), enabled: entityId !== null, select: targetsOf })
  const isRead = entityId !== null && query.data !== undefined
  return {
    targets: isRead ? query.data : none,
    isRead,
    failure: entityId === null ? null : readFailure(query, 'Its attributes could not be read.'),
  }
}

function targetsOf({ entity }: LoadedEntity): Target[] {
  return (entity.resolvedAttributes ?? []).flatMap(({ name, isPrimaryKey, dataType }) => {
    const keyType = keyDataTypes.find(type => type === dataType)
    return keyType ? [{ name, isPrimaryKey, dataType: keyType }] : []
  })
}
