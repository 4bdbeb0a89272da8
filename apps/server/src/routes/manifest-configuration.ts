import { getManifestConfiguration, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../commands/change.ts'
import { configurationFrom, configuredBySave, saveConfiguration } from '../commands/manifest/save-configuration.ts'
import { notFound } from '../errors/api-error.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type Route } from '../http/route.ts'
import { hasServiceOptions } from '../config.ts'
import { isLightConfiguration } from '../store/answer-size.ts'
import { configurationOf, withMarkedSecrets } from '../store/manifest-configuration.ts'
import { requireManifest } from './manifest-answer.ts'

export const manifestConfigurationRoutes: Route[] = [
  handle(getManifestConfiguration, async ({ params, query }, request) => {
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
  }),
  handle(saveManifestConfiguration, async ({ params, query, body: change }, request) => {
    const { limits: licence } = request.organisation
    const serviceOptions = hasServiceOptions(request.context.config, request.organisation)
    const { version, saveId } = query
    const requested = configurationFrom(change)
    const save = { manifestId: params.id, version, requested, base: request.ifMatch ?? '', licence, serviceOptions }
    const { secrets } = request.context
    const { configuration, hash } = await saveConfiguration(changeOf(request, saveId), secrets, save)
    // Tag and content are from the same state, including concurrent saves by others.
    request.setEtag(hash)
    const manifestProperties = withMarkedSecrets(configuration)
    return { result: 'OK' as const, message: messages.configurationSaved, manifestProperties }
  }),
]
