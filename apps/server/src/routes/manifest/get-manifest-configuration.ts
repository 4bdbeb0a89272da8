import { getManifestConfiguration } from '@cadmus/model/contract/manifest-configuration'
import { handle } from '../../http/route.ts'
import { configurationOf, withMarkedSecrets } from '../../store/manifest-configuration.ts'
import { foundManifest } from './found.ts'

export const getManifestConfigurationRoute = handle(getManifestConfiguration, async ({ params }, request) => {
  const manifest = await foundManifest(request, params.id)
  const { configuration, hash } = await configurationOf(request.context.store.of(request.organisation.id), manifest)
  request.setEtag(hash)
  return { manifestProperties: withMarkedSecrets(configuration) }
})
