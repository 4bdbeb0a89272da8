import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { visibleText } from '@cadmus/model/display'
import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { publishTexts } from '@cadmus/model/messages/publish'
import { untilBuilt } from '../../api/await-build.ts'
import { ApiError, whyFailed } from '../../api/error.ts'
import { hostedInstances } from '../../api/instance-calls.ts'
import { type Publication, rebuildPackage } from '../../api/publications.ts'
import { publicationsQuery } from '../../commands/published.ts'
import { readFailure } from '../../api/read-failure.ts'
import { currentScope } from '../../api/scope.ts'
import type { Named } from '../../commands/context.ts'
import { SignIn } from '../../commands/InstanceSignIn.tsx'
import { StillWaiting } from '../../commands/StillWaiting.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notify } from '../../ui/notices.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import { afterDialogs } from '../../workbench/dialogs.ts'
import { minuteOf } from '../../ui/timestamp.ts'
import { type Answers, answersOf } from './answers.ts'
import { blockedReason, keyOf, publicationsOf, stateAfter, versionOf } from './publish-again.ts'
import { PublishVerdict } from './PublishVerdict.tsx'
import styles from './PublishAgain.module.css'
import { uploadBuild } from './upload-build.ts'
import { type PublishChecks, usePublishChecks } from './use-publish-again.ts'

export type PublishAgainProps = {
  manifest: Named
  /** Offers only this package of the manifest. */
  packageId?: number
  /** Opens the wizard with the answers of the publication. */
  onSettings: (answers: Answers) => void
  onClose: () => void
}

type Built = { packageId: number; name: string; version: string }
type Working = { step: 'building' | 'publishing'; name: string }

/** One page with everything that decides about the next version of a published package, then its publication. */
export function PublishAgain({ manifest, packageId, onSettings, onClose }: PublishAgainProps) {
  // Others may have published since the list was read.
  const list = useQuery({ ...publicationsQuery(), refetchOnMount: 'always' })
  const offered = publicationsOf(list.isFetchedAfterMount ? (list.data ?? []) : [], manifest.id, packageId)
  const [chosen, setChosen] = useState<string | null>(null)
  const publication = offered.find(one => keyOf(one) === chosen) ?? offered[0]
  const checks = usePublishChecks(publication)
  const [typed, setTyped] = useState<string | null>(null)
  const [working, setWorking] = useState<Working | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const built = useRef<Built | null>(null)
  const leaving = useRef(new AbortController())
  const versionField = useRef<HTMLInputElement>(null)
  const version = versionOf(checks.check, typed)
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  function changed() {
    built.current = null
    setFailure(null)
  }

  async function publish() {
    const { instance, running } = checks
    if (publication === undefined || instance === null || running.value === undefined) return
    const { signal } = leaving.current
    const { packageName: name } = publication
    setFailure(null)
    try {
      setWorking({ step: 'building', name })
      built.current ??= await build(publication, version, signal)
      setWorking({ step: 'publishing', name })
      await uploadBuild(instance, built.current, stateAfter(running.value), signal)
      onClose()
    } catch (error) {
      if (!signal.aborted) setFailure(error)
    } finally {
      setWorking(null)
    }
  }

  function chooseSettings(answers: Answers) {
    onClose()
    afterDialogs(() => onSettings(answers))
  }

  function leave() {
    if (working?.step === 'building') notify('info', blueprintTexts.buildGoesOn(working.name))
    onClose()
  }

  const isUnknown = list.isFetchedAfterMount && list.isSuccess && publication === undefined
  const versionRefusal = versionProblem(failure)
  return (
    <FormDialog
      title={publishTexts.title}
      description={manifest.name}
      width={640}
      onClose={leave}
      initialFocus={versionField}
      entered={working !== null || typed !== null}
      {...(working === null ? {} : { leaving: leavingTexts(working) })}
      error={failure === null || versionRefusal !== null ? null : whyFailed(failure)}
      busy={working !== null}
      leavable
      submitLabel="Publish"
      blocked={isUnknown ? publishTexts.never : blockedReason({ ...checks, version: typed })}
      onSubmit={() => void publish()}
    >
      <Unread query={list} />
      {isUnknown && <p className={styles['line']}>{publishTexts.never}</p>}
      <Target
        offered={offered}
        publication={publication}
        checks={checks}
        disabled={working !== null}
        onChoose={key => {
          changed()
          setChosen(key)
          setTyped(null)
        }}
      />
      <TextField
        ref={versionField}
        label="Version"
        mono
        value={typed ?? version}
        error={versionRefusal}
        disabled={working !== null}
        onChange={next => {
          changed()
          setTyped(next)
        }}
      />
      {publication && (
        <PublishVerdict
          manifest={manifest}
          publication={publication}
          checks={checks}
          onLeave={onClose}
          onSettings={() => void openSettings(publication, checks, chooseSettings, leaving.current.signal)}
        />
      )}
      {working !== null && <ProgressBar label={progressOf(working, publication)} done={null} />}
      <StillWaiting key={working?.step} waiting={working?.step === 'publishing'} />
    </FormDialog>
  )
}

function Unread({ query }: { query: Parameters<typeof readFailure>[0] }) {
  const failure = readFailure(query, publishTexts.publicationsUnread)
  return failure && <UnreadAlert failure={failure} />
}

type TargetProps = {
  offered: readonly Publication[]
  publication: Publication | undefined
  checks: PublishChecks
  disabled: boolean
  onChoose: (key: string) => void
}

/** The package and instance, with what was published there and what runs there now. */
function Target({ offered, publication, checks, disabled, onChoose }: TargetProps) {
  if (publication === undefined) return null
  const { packageName, instanceUrl, version, userName, publishedAt, signedIn } = publication
  const there = checks.running.value
  return (
    <div className={styles['target']}>
      {offered.length > 1 ? (
        <Select
          label="Package"
          options={offered.map(one => ({
            value: keyOf(one),
            label: publishTexts.target(one.packageName, one.instanceUrl),
          }))}
          value={keyOf(publication)}
          disabled={disabled}
          onChange={onChoose}
        />
      ) : (
        <p className={styles['line']}>
          <strong>{visibleText(packageName)}</strong> on <code>{visibleText(instanceUrl)}</code>
        </p>
      )}
      <p className={styles['note']}>
        {publishTexts.last(version, userName, minuteOf(publishedAt))} {there === null && publishTexts.notThere}
        {there && publishTexts.running(there.runningVersion ?? there.versions[0] ?? '', there.status.toLowerCase())}
      </p>
      {checks.running.failure && <UnreadAlert failure={checks.running.failure} />}
      {signedIn && <SignIn key={keyOf(publication)} disabled={disabled} onEnter={checks.enter} />}
    </div>
  )
}

/** Builds the next version and waits for it. */
async function build(publication: Publication, version: string, signal: AbortSignal): Promise<Built> {
  const started = await rebuildPackage(publication, version, { scope: currentScope() })
  await untilBuilt(started.packageId, signal)
  return started
}

async function openSettings(
  publication: Publication,
  { check }: PublishChecks,
  open: (answers: Answers) => void,
  signal: AbortSignal,
) {
  if (check.value === undefined) return
  const hosted = await hostedInstances({ signal }).catch(() => [])
  // The dialog may be closed by now.
  if (!signal.aborted) open(answersOf(publication, check.value, hosted))
}

/** The refusal of the version, shown at its field. */
function versionProblem(failure: unknown): string | null {
  if (!(failure instanceof ApiError)) return null
  return failure.errors.find(({ path }) => path === 'version')?.message ?? null
}

/** A build continues on the server, an upload is lost. */
function leavingTexts({ step, name }: Working) {
  const text = step === 'building' ? blueprintTexts.buildGoesOn(name) : blueprintTexts.leaving.publishing
  return { title: blueprintTexts.leaving.title, text, confirmLabel: 'Leave' }
}

function progressOf({ step, name }: Working, publication: Publication | undefined): string {
  if (step === 'building') return blueprintTexts.building(name)
  return blueprintTexts.publishing(name, publication?.instanceUrl ?? '')
}
