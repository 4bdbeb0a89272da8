import type { Configuration } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { configurationQuery } from '../../api/configurations.ts'
import { saveConfigurationEdits, settleConfigurationEdits } from '../../api/edits.ts'
import { configurationStates } from '../../api/edit-log.ts'
import { ApiError } from '../../api/error.ts'
import { lastChangesOf } from '../../api/logs.ts'
import { queryClient } from '../../api/query-client.ts'
import { conflictWords } from '../../commands/configuration-words.ts'
import { confirmConfigurationImpact } from '../../commands/impact.ts'
import { linkTabs } from '../../drafts/draft-tabs.ts'
import { causeOf } from '../../drafts/moved-steps.ts'
import { configurationStore } from '../../drafts/configuration-store.ts'
import { showFirstProblem } from './refused-save.ts'

configurationStore.connect({
  send: async ({ saved, base, content, etag, done }, { scope }, operationId) => {
    try {
      const edits = configurationEditsBetween(base, filled(content))
      const { id, name } = saved
      const database = content.packageProperties.connectionPoolInfo.type
      if (!(await confirmConfigurationImpact({ id, name, database, edits, scope }))) return undefined
      return await saveConfigurationEdits(
        saved,
        filled(content),
        { operationId, base: etag, edits, cause: causeOf(done) },
        scope,
      )
    } catch (failure) {
      throw showFirstProblem(saved.id, inRows(failure, content), content, scope)
    }
  },
  settle: async ({ id, sent }, { scope }) => settleConfigurationEdits(sent.saved, id, scope, sent.etag),
  load: async ({ id, version, scope }) =>
    queryClient.fetchQuery({ ...configurationQuery(id, version, scope), staleTime: 0 }),
  success: messages.configurationSaved,
  log: { kind: 'configuration', states: configurationStates, words: conflictWords },
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
