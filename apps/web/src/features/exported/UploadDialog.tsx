import { messages } from '@cadmus/model/messages'
import { useEffect, useRef, useState } from 'react'
import { whyFailed } from '../../api/error.ts'
import { hostedSource, openExplorer, useHostedAddresses } from '../../api/instance-calls.ts'
import { StillWaiting } from '../../commands/StillWaiting.tsx'
import { mayOverride, outcomeKind, uploadWithConfirmation } from '../../commands/upload-package.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notify } from '../../ui/notices.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { SuggestField } from '../../ui/SuggestField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { accessOf, instanceProblem, isEntered, isHosted, newUpload, withScheme, type Upload } from './upload-flow.ts'
import styles from './Dialogs.module.css'

export type UploadDialogProps = { name: string; version: string; onClose: () => void }

/** Upload Package: target instance, sign-in and whether to start at once. Credentials are never stored. */
export function UploadDialog({ name, version, onClose }: UploadDialogProps) {
  const [upload, setUpload] = useState(newUpload)
  const [isLeft, setIsLeft] = useState(false)
  const [progress, setProgress] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const leaving = useRef(new AbortController())
  const hosted = useHostedAddresses()
  const problem = instanceProblem(upload.instance)
  useEffect(() => () => leaving.current.abort(), [])

  function change(next: Partial<Upload>) {
    setUpload(now => ({ ...now, ...next }))
    // The error was about the previous input.
    setError(null)
  }

  async function run() {
    const access = accessOf(upload, hosted)
    const { signal } = (leaving.current = new AbortController())
    setError(null)
    setProgress(`Asking ${access.instanceUrl} for its packages`)
    try {
      if (!(await mayOverride(access, name, signal))) return
      setProgress(`Uploading ${name} ${version} to ${access.instanceUrl}`)
      const state = upload.started ? 'STARTED' : 'LOADED'
      const uploaded = await uploadWithConfirmation(access, { name, version, state }, { signal })
      const kind = outcomeKind(uploaded)
      const { message } = uploaded
      if (upload.started) notify(kind, message, openExplorer(access.instanceUrl, name), { stays: 'untilUsed' })
      else notify(kind, message)
      onClose()
    } catch (failure) {
      if (signal.aborted) return
      setError(whyFailed(failure))
      notify('error', messages.packages.failed.upload(whyFailed(failure)))
    } finally {
      setProgress(null)
    }
  }

  function cancel() {
    if (progress === null) return onClose()
    leaving.current.abort()
    notify('info', messages.packages.view.uploadLeft)
  }

  return (
    <FormDialog
      title="Upload Package"
      description={`${name} ${version}`}
      onClose={cancel}
      entered={progress === null && isEntered(upload)}
      error={error}
      busy={progress !== null}
      leavable
      submitLabel="Upload"
      blocked={problem}
      onSubmit={() => void run()}
    >
      <SuggestField
        label="Instance"
        required
        source={hostedSource()}
        value={upload.instance}
        placeholder="Choose a hosted instance or enter an instance URL"
        error={isLeft || upload.instance !== '' ? shownProblem(upload.instance, isLeft, problem) : null}
        disabled={progress !== null}
        onChange={instance => change({ instance })}
        onBlur={() => {
          setIsLeft(true)
          change({ instance: withScheme(upload.instance) })
        }}
      />
      {problem === null && hosted !== undefined && !isHosted(upload.instance, hosted) && (
        <SignIn upload={upload} disabled={progress !== null} onChange={change} />
      )}
      <Switch
        off="Loaded"
        label="Started"
        hint={upload.started ? 'Starts the package and serves its API.' : 'Deploys the package without starting it.'}
        checked={upload.started}
        disabled={progress !== null}
        onChange={started => change({ started })}
      />
      {progress !== null && <ProgressBar label={progress} done={null} />}
      <StillWaiting key={progress} waiting={progress !== null} />
    </FormDialog>
  )
}

/** Reports problems once the field was left or the address has a scheme. */
function shownProblem(instance: string, isLeft: boolean, problem: string | null): string | null {
  return isLeft || instance.includes('://') ? problem : null
}

type SignInProps = { upload: Upload; disabled: boolean; onChange: (next: Partial<Upload>) => void }

function SignIn({ upload, disabled, onChange }: SignInProps) {
  return (
    <fieldset className={styles['group']} disabled={disabled}>
      <legend>Sign in at this instance</legend>
      <Segments
        label="Sign in with"
        options={[
          { value: 'credentials', label: 'User name and password' },
          { value: 'token', label: 'Token' },
        ]}
        value={upload.method}
        onChange={method => onChange({ method })}
      />
      {upload.method === 'token' ? (
        <TextField
          label="Token"
          type="password"
          value={upload.token}
          hint="Used for this upload only, never stored."
          onChange={token => onChange({ token })}
        />
      ) : (
        <>
          <TextField label="User name" value={upload.username} onChange={username => onChange({ username })} />
          <TextField
            label="Password"
            type="password"
            autoComplete="new-password"
            value={upload.password}
            hint="Used for this upload only, never stored."
            onChange={password => onChange({ password })}
          />
        </>
      )}
    </fieldset>
  )
}
