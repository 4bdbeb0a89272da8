import { messages } from '../messages.ts'

/** `entityId`: the entity with the relationship; undefined until it is stored. */
export function associatedEntity(
  value: { id: number } | null | undefined,
  { entityId }: { entityId?: number },
): string | undefined {
  if (!value || value.id < 1) return messages.required
  return value.id === entityId ? messages.sameEntityAssociated : undefined
}
