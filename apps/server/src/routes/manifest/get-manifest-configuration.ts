import { getManifestConfiguration } from '@cadmus/model/contract/manifest'
import { changeOf } from '../../commands/change.ts'
import { configuredBySave } from '../../commands/manifest/configuration-history.ts'
import { notFound } from '../../errors/api-error.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { configurationOf, withMarkedSecrets } from '../../store/manifest-configuration.ts'
import { isLightConfiguration } from '../../store/answer-size.ts'
import { requireManifest } from './require-manifest.ts'

export const getManifestConfigurationRoute = handle(getManifestConfiguration, async ({ params, query }, request) => {
  const { context, organisation, signal } = request
  const { savedBy } = query
  const now = await requireManifest(request, params.id)
  const db = context.store.of(organisation.id)
  const manifest = savedBy === undefined ? now : await configuredBySave(changeOf(request), now.id, savedBy)
  if (!manifest) throw notFound('The save')
  if (!(await isLightConfiguration(db, manifest))) {
    const { id: manifestId, configuration_hash: stored } = manifest
    const place = { organisationId: organisation.id, manifestId, stored }
    const { json, hash } = await context.workers.run('configuration', place, signal)
    request.setEtag(hash)
    return new ReadyJson(json)
  }
  const { configuration, hash } = await configurationOf(db, manifest)
  request.setEtag(hash)
  return { manifestProperties: withMarkedSecrets(configuration) }
})
