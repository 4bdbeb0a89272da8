import { listEntityFolders } from '@cadmus/model/contract/entity'
import type { OptionSource } from '../ui/options.ts'
import { callApi } from './client.ts'
import { keyIn, keys } from './query-client.ts'
import { currentScope } from './scope.ts'

export function folderSource(): OptionSource<string> {
  const scope = currentScope()
  return {
    key: keyIn([...keys.options, 'folder'], scope),
    async load(search, page, limit, signal) {
      const { folders, totalElements } = await callApi(
        listEntityFolders,
        { query: { search, page, limit } },
        { signal, scope },
      )
      return { options: folders.map(({ path }) => ({ value: path, label: path, data: path })), total: totalElements }
    },
  }
}
