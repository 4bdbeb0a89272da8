import type { NameConflictStepAnswer } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { problemTexts } from '@cadmus/model/messages/values'
import { nameConflictTexts } from '@cadmus/model/messages/validation'
import { nameConflictStrategies, type NameConflictStrategy } from '@cadmus/model/name-conflicts'
import { visibleText } from '@cadmus/model/display'
import { useEffect, useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { nameConflictPlan, resolveNameConflicts, type NameConflictPlan } from '../../api/name-conflicts.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { undoResolutionAction } from './undo-resolution.ts'
import styles from './Transfer.module.css'

const texts = nameConflictTexts
const maxSteps = 100

type NameConflictResolverProps = { manifestId: number; onBusy: (busy: boolean) => void; onResolved: () => void }

/** Resolves name conflicts: previews the outcome per entity, and applies it to all. */
export function NameConflictResolver({ manifestId, onBusy, onResolved }: NameConflictResolverProps) {
  const [strategy, setStrategy] = useState<NameConflictStrategy>('prefix')
  const [plan, setPlan] = useState<NameConflictPlan | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [working, setWorking] = useState(false)
  // Incremented when the plan shown is out of date.
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const leaving = new AbortController()
    nameConflictPlan(manifestId, strategy, leaving.signal)
      .then(setPlan)
      .catch((failure: unknown) => {
        if (!leaving.signal.aborted) setError(messageOf(failure, messages.failed.unexpected))
      })
    return () => leaving.abort()
  }, [manifestId, strategy, attempt])

  function choose(next: NameConflictStrategy) {
    setError(null)
    setPlan(null)
    setStrategy(next)
  }

  async function resolve({ etag }: NameConflictPlan) {
    setWorking(true)
    onBusy(true)
    setError(null)
    try {
      const { message, steps } = await resolveNameConflicts(manifestId, strategy, etag)
      notify('success', message, undoResolutionAction(manifestId, steps))
      onResolved()
    } catch (failure) {
      setError(messageOf(failure, messages.failed.unexpected))
      setAttempt(attempt + 1)
    } finally {
      setWorking(false)
      onBusy(false)
    }
  }

  const applicable = plan?.steps.filter(({ action }) => action !== 'none') ?? []
  return (
    <section className={styles['offer']} aria-label={texts.title}>
      <RadioGroup
        label={texts.title}
        options={nameConflictStrategies.map(value => ({ value, ...texts.strategies[value] }))}
        value={strategy}
        onChange={choose}
      />
      {error && <Alert>{error}</Alert>}
      {plan === null && !error && <ProgressBar label={texts.looking} done={null} />}
      {plan && <Steps steps={plan.steps} />}
      {plan && applicable.length > 0 && (
        <>
          <p className={styles['size']}>{texts.undo(applicable.some(({ deletes }) => deletes === true))}</p>
          <Button
            size="dialog"
            variant={applicable.some(({ deletes }) => deletes === true) ? 'danger' : 'primary'}
            busy={working}
            onClick={() => void resolve(plan)}
          >
            {texts.apply(countsOf(applicable))}
          </Button>
        </>
      )}
    </section>
  )
}

function Steps({ steps }: { steps: readonly NameConflictStepAnswer[] }) {
  return (
    <ul className={styles['steps']} aria-label={texts.preview}>
      {steps.slice(0, maxSteps).map(step => (
        <li key={step.entity.id}>
          <code>{visibleText(step.entity.path)}</code> → {outcomeOf(step)}
          {step.reason !== undefined && <span className={styles['size']}> {step.reason}</span>}
        </li>
      ))}
      {steps.length > maxSteps && <li>{problemTexts.more(steps.length - maxSteps)}</li>}
    </ul>
  )
}

function outcomeOf({ action, name = '', from = [], deletes }: NameConflictStepAnswer) {
  if (action === 'rename') return <strong>{name}</strong>
  if (action === 'none') return texts.stays
  const places = from.map(manifest => visibleText(manifest.name)).join(', ')
  return deletes ? texts.deleted(places) : texts.leftOut(places)
}

function countsOf(steps: readonly NameConflictStepAnswer[]) {
  const count = (kind: NameConflictStepAnswer['action']) => steps.filter(({ action }) => action === kind).length
  return { renamed: count('rename'), leftOut: count('leaveOut') }
}
