import { QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { importEntity } from './entities.ts'
import { importManifest } from './manifests.ts'
import { keyIn, keys, queryClient } from './query-client.ts'

vi.mock('./client.ts', async original => ({
  ...(await original<object>()),
  callApi: async () => ({ message: 'Imported.' }),
}))

it('the answer to an import does not wait for what is shown to be read again', async () => {
  const reads: (() => void)[] = []
  const queryFn = () => new Promise<string>(resolve => void reads.push(() => resolve('read')))
  // The server computes it from a whole model, which takes long where other work goes first.
  const shown = new QueryObserver(queryClient, { queryKey: keyIn([...keys.manifests, 'diagram', 1]), queryFn })
  const stop = shown.subscribe(() => undefined)
  reads[0]?.()
  await expect.poll(() => shown.getCurrentResult().data).toBe('read')
  const file = new File(['{}'], 'model.json')
  const choices = { importAs: 'DATABASE_STRUCTURE', database: null, root: null, key: 'a' } as const
  const signal = new AbortController().signal
  expect(await importManifest(file, choices, signal)).toEqual({ message: 'Imported.' })
  expect(await importEntity(file, -1, { signal })).toEqual({ message: 'Imported.' })
  expect(reads.length).toBeGreaterThan(1)
  stop()
  queryClient.clear()
})
