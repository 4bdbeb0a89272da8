import { listEntityFolders } from '@cadmus/model/contract/entity'
import type { OptionSource } from '../ui/options.ts'
import { callApi } from './client.ts'

export function folderSource(): OptionSource<string> {
  return {
    key: ['folder'],
    async load(search, page, limit, signal) {
      const { folders, totalElements } = await callApi(
        listEntityFolders,
        { query: { search, page, limit } },
        { signal },
      )
      return { options: folders.map(({ path }) => ({ value: path, label: path, data: path })), total: totalElements }
    },
  }
}
