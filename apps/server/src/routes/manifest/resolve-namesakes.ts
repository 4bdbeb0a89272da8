import { resolveNamesakes } from '@cadmus/model/contract/manifest'
import { mayEditManifest } from '@cadmus/model/locks'
import { nameConflictTexts } from '@cadmus/model/messages/validation'
import { changeOf } from '../../commands/change.ts'
import { check, stateOf } from '../../commands/manifest/manifest-permission.ts'
import { resolveNameConflicts } from '../../commands/manifest/resolve-name-conflicts.ts'
import { conflict } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { requireManifest } from './require-manifest.ts'

export const resolveNamesakesRoute = handle(resolveNamesakes, async ({ params, body }, request) => {
  const { context, organisation, signal, ifMatch } = request
  const manifest = await requireManifest(request, params.id)
  check(mayEditManifest(stateOf(manifest)))
  const place = { organisationId: organisation.id, manifestId: manifest.id, version: null }
  const { steps, etag } = await context.workers.run('nameConflicts', { ...place, strategy: body.strategy }, signal)
  // Executes exactly the plan that was shown.
  if (ifMatch !== '*' && ifMatch !== etag) throw conflict(nameConflictTexts.changed)
  await resolveNameConflicts(changeOf(request), manifest.id, steps)
  return { result: 'OK' as const, message: nameConflictTexts.done(countsOf(steps)), steps }
})

function countsOf(steps: readonly { action: string }[]) {
  const count = (kind: string) => steps.filter(({ action }) => action === kind).length
  return { renamed: count('rename'), leftOut: count('leaveOut') }
}
