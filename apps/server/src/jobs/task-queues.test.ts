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
