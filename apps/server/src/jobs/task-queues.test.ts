import { expect, it } from 'vitest'
import { TaskQueues } from './task-queues.ts'

const fewest = 2

it('reads wait neither for exports of their organisation nor for background work', async () => {
  const lanes = new TaskQueues(fewest)
  const end = Promise.withResolvers<void>()
  const long = (['exportManifest', 'validate', 'unreferencedContents'] as const).map(name =>
    lanes.run(name, 1, () => end.promise),
  )
  expect(await lanes.run('entity', 1, async () => 'opened')).toBe('opened')
  expect(await lanes.run('manifest', 1, async () => 'opened')).toBe('opened')
  end.resolve()
  await Promise.all(long)
})

it('a started task is never rejected, however many of its organisation wait', async () => {
  const lanes = new TaskQueues(fewest)
  const end = Promise.withResolvers<void>()
  const waiting = Array.from({ length: 41 }, () => lanes.run('entity', 1, () => end.promise))
  await expect(lanes.run('entity', 1, async () => 'read')).rejects.toMatchObject({ status: 503 })
  const started = lanes.run('entity', 1, async () => 'answered', { isBegun: true })
  end.resolve()
  expect(await started).toBe('answered')
  await Promise.all(waiting)
})

it('exports of one organisation do not delay exports of another', async () => {
  const lanes = new TaskQueues(fewest)
  const end = Promise.withResolvers<void>()
  const long = Array.from({ length: 3 }, () => lanes.run('exportManifest', 1, () => end.promise))
  expect(await lanes.run('exportManifest', 2, async () => 'exported')).toBe('exported')
  end.resolve()
  await Promise.all(long)
})

it('scripts are read one at a time for an organisation, beside those of another and all other tasks', async () => {
  const lanes = new TaskQueues(fewest)
  const end = Promise.withResolvers<void>()
  const order: string[] = []
  const first = lanes.run('sql', 1, () => end.promise)
  const second = lanes.run('sql', 1, async () => void order.push('second'))
  expect(await lanes.run('sql', 2, async () => 'read')).toBe('read')
  expect(await lanes.run('exportManifest', 1, async () => 'exported')).toBe('exported')
  expect(order).toEqual([])
  end.resolve()
  await Promise.all([first, second])
  expect(order).toEqual(['second'])
})
