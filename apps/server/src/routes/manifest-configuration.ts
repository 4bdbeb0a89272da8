import { getManifestConfiguration, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../commands/change.ts'
import { configurationFrom } from '../commands/manifest/save-configuration.ts'
import { saveDocument } from '../commands/save-documents.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { hasServiceOptions } from '../config.ts'
import { isLightConfiguration } from '../store/answer-size.ts'
import { configurationOf, withMarkedSecrets } from '../store/manifest-configuration.ts'
import { requireManifest } from './manifest-answer.ts'

export const manifestConfigurationRoutes: Route[] = [
  handle(getManifestConfiguration, async ({ params }, request) => {
    const { context, organisation, signal } = request
    const manifest = await requireManifest(request, params.id)
    const db = context.store.of(organisation.id)
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
    const place = { kind: 'configuration' as const, id: params.id, base: request.ifMatch ?? '', version: query.version }
    const document = { ...place, requested: configurationFrom(change), ...configurationRules(request) }
    // Tag and content are from the same state, including concurrent saves by others.
    const { tag, content } = await saveDocument(changeOf(request, query.saveId), document)
    request.setEtag(tag)
    const answer = new ReadyJson(Buffer.from(`{"manifestProperties":${content}}`))
    return answer.with({ result: 'OK', message: messages.configurationSaved })
  }),
]

/** Dependencies of the rules of a configuration. */
export function configurationRules({ context, organisation }: RequestContext) {
  const serviceOptions = hasServiceOptions(context.config, organisation)
  return { box: context.secrets, licence: organisation.limits, serviceOptions }
}
