import { expect, it } from 'vitest'
import { runCommand } from '../commands/command.ts'
import type { DraftStep } from './edit-draft.ts'
import { StepStack } from './step-stack.ts'

/** A step of a draft, which ends with another one if `others` has some. */
function stepOf(label: string, log: string[], others: { done: boolean } = { done: false }): DraftStep {
  let isDone = true
  return {
    label,
    canUndo: () => isDone && !others.done,
    undo() {
      isDone = false
      log.push(`undo ${label}`)
    },
    canRedo: () => !isDone,
    isPresent: () => true,
    redo() {
      isDone = true
      log.push(`redo ${label}`)
    },
  }
}

function press(steps: StepStack, id: string): boolean {
  const command = steps.commands.find(one => one.id === `compare.${id}`)
  return command !== undefined && runCommand(command, {})
}

it('what was taken is undone and redone, the last first', () => {
  const [steps, log] = [new StepStack('compare'), [] as string[]]
  expect([press(steps, 'undo'), press(steps, 'redo')]).toEqual([false, false])
  for (const label of ['one', 'two']) steps.add(stepOf(label, log))
  expect(['undo', 'undo', 'undo', 'redo'].map(id => press(steps, id))).toEqual([true, true, false, true])
  expect(log).toEqual(['undo two', 'undo one', 'redo one'])
  steps.add(stepOf('three', log))
  expect(press(steps, 'redo')).toBe(false)
})

it('a step after which the draft was edited stays', () => {
  const [steps, log, others] = [new StepStack('compare'), [] as string[], { done: false }]
  steps.add(stepOf('one', log, others))
  others.done = true
  expect([press(steps, 'undo'), log]).toEqual([false, []])
})
