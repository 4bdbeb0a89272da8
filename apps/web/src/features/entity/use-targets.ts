import { useQuery } from '@tanstack/react-query'
import { entityQuery, type LoadedEntity } from '../../api/entities.ts'
import { readFailure } from '../../api/read-failure.ts'
import { type Target, targetsOf } from '../../drafts/new-relationship.ts'
import type { ReadFailure } from '../../ui/Field.tsx'

export type Targets = { targets: readonly Target[]; isRead: boolean; failure: ReadFailure | null }

const none: readonly Target[] = []

/** Possible targets in an entity. A failed read yields none (document 1 §7), with its error and a retry. */
export function useTargets(entityId: number | null): Targets {
  const query = useQuery({ ...entityQuery(entityId ?? 0), enabled: entityId !== null, select: targetsIn })
  const isRead = entityId !== null && query.data !== undefined
  return {
    targets: isRead ? query.data : none,
    isRead,
    failure: entityId === null ? null : readFailure(query, 'Its attributes could not be read.'),
  }
}

function targetsIn({ entity }: LoadedEntity): Target[] {
  return targetsOf(entity)
}
