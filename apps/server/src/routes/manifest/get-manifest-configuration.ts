import { getManifestConfiguration } from '@cadmus/model/contract/manifest-configuration'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { configurationOf, withMarkedSecrets } from '../../store/manifest-configuration.ts'
import { isLightConfiguration } from '../../store/weight.ts'
import { foundManifest } from './found.ts'

export const getManifestConfigurationRoute = handle(getManifestConfiguration, async ({ params }, request) => {
  const { context, organisation, signal } = request
  const manifest = await foundManifest(request, params.id)
  const db = context.store.of(organisation.id)
  if (!(await isLightConfiguration(db, manifest))) {
    const place = { organisationId: organisation.id, manifestId: manifest.id }
    const { json, hash } = await context.workers.run('configuration', place, signal)
    request.setEtag(hash)
    return new ReadyJson(json)
  }
  const { configuration, hash } = await configurationOf(db, manifest)
  request.setEtag(hash)
  return { manifestProperties: withMarkedSecrets(configuration) }
})
