import { getManifestConfiguration } from '@cadmus/model/contract/manifest-configuration'
import { configurationSavedBy } from '../../commands/manifest/configuration-history.ts'
import { notFound } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { configurationOf, withMarkedSecrets } from '../../store/manifest-configuration.ts'
import { foundManifest } from './found.ts'

export const getManifestConfigurationRoute = handle(getManifestConfiguration, async ({ params, query }, request) => {
  const { savedBy } = query
  const manifest = await foundManifest(request, params.id)
  const db = request.context.store.of(request.organisation.id)
  const found =
    savedBy === undefined
      ? await configurationOf(db, manifest)
      : await configurationSavedBy(db, request.organisation.id, manifest, savedBy)
  if (!found) throw notFound('The save')
  request.setEtag(found.hash)
  return { manifestProperties: withMarkedSecrets(found.configuration) }
})
