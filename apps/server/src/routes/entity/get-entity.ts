import { getEntity } from '@cadmus/model/contract/entity'
import { changeOf } from '../../commands/change.ts'
import { outcomeOfSave } from '../../commands/named-save.ts'
import { notFound } from '../../errors/api-error.ts'
import { handle, type RequestContext } from '../../http/route.ts'
import { answerEntity } from './entity-answer.ts'

export const getEntityRoute = handle(getEntity, async ({ params, query }, request) => {
  const withResolved = query.typeAttributeFilter === 'ALL'
  const { version, savedBy } = query
  const state = savedBy === undefined ? { version } : await savedState(request, params.id, savedBy)
  return answerEntity(request, params.id, { ...state, withResolved })
})

/** Returns the state and version stored by a save. Throws 404 if it stored nothing. */
async function savedState(request: RequestContext, id: number, saveId: string) {
  const entry = await outcomeOfSave(changeOf(request), id, saveId)
  if (!entry?.updated_hash) throw notFound('The save')
  return { version: entry.version, hash: entry.updated_hash }
}
