import type { Configuration } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { configurationQuery, configurationSavedBy, saveConfiguration } from '../../api/configurations.ts'
import { ApiError } from '../../api/error.ts'
import { lastChangesOf } from '../../api/logs.ts'
import { queryClient } from '../../api/query-client.ts'
import { linkTabs } from '../../drafts/draft-tabs.ts'
import { configurationStore } from './configuration-store.ts'
import { showFirstProblem } from './refused-save.ts'

configurationStore.connect({
  send: async ({ saved, content, etag }, { scope }, saveId) => {
    try {
      return await saveConfiguration(saved, filled(content), etag, { saveId, scope })
    } catch (failure) {
      throw showFirstProblem(saved.id, inRows(failure, content), content, scope)
    }
  },
  settle: async ({ id, sent }, { scope }) => configurationSavedBy(sent.saved, id, sent.etag, scope),
  load: async ({ id, version, scope }) =>
    queryClient.fetchQuery({ ...configurationQuery(id, version, scope), staleTime: 0 }),
  success: messages.configurationSaved,
  findAuthors: async ({ id }, places, scope) => lastChangesOf('manifest', id, places, scope),
})

linkTabs(configurationStore)

function filled(configuration: Configuration): Configuration {
  const { packageProperties } = configuration
  const customProperties = packageProperties.customProperties.filter(isFilled)
  return { ...configuration, packageProperties: { ...packageProperties, customProperties } }
}

function isFilled({ name, value }: { name: string; value: string }): boolean {
  return name !== '' || value !== ''
}

/** Maps error positions back to the visible rows: empty ones were not sent. */
function inRows(failure: unknown, { packageProperties }: Configuration): unknown {
  if (!(failure instanceof ApiError) || failure.errors.length === 0) return failure
  const rows = packageProperties.customProperties.flatMap((item, index) => (isFilled(item) ? [index] : []))
  const errors = failure.errors.map(({ path, message }) => ({
    path: path.replace(/(?<=^packageProperties\.customProperties\.)\d+/, sent => String(rows[Number(sent)] ?? sent)),
    message,
  }))
  return failure.with({ errors })
}
