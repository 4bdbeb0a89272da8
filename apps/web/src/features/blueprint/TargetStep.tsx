import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { instanceUrlOf } from '@cadmus/model/contract/instance'
import { messages } from '@cadmus/model/messages'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { whyFailed } from '../../api/error.ts'
import { hostedQuery, hostedSource, testInstance } from '../../api/instance-calls.ts'
import { StillWaiting } from '../../commands/StillWaiting.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { fieldProblem, instanceOf } from './blueprint-rules.ts'
import type { StepProps } from './blueprint-flow.ts'
import { Offers } from './Offers.tsx'
import styles from './Blueprint.module.css'

export function TargetStep({ state, dispatch }: StepProps) {
  const { hosted } = state
  return (
    <>
      <RadioGroup
        label="Publish Target"
        value={state.target}
        onChange={target => dispatch({ type: 'target', target })}
        options={[
          { value: 'hosted', label: 'Hosted Instances' },
          { value: 'selfManaged', label: 'Self-managed instance' },
        ]}
      />
      {state.target === 'hosted' ? (
        <SearchSelect<{ name: string; path: string }>
          label="Hosted instance"
          required
          placeholder="Select Instance"
          emptyText={blueprintTexts.noHostedInstances}
          error={fieldProblem(state) ?? null}
          source={hostedSource()}
          value={
            hosted && {
              value: hosted.url,
              label: hosted.name,
              detail: hosted.url,
              data: { name: hosted.name, path: hosted.url },
            }
          }
          onChange={({ data }) => dispatch({ type: 'hosted', hosted: { name: data.name, url: data.path } })}
        />
      ) : (
        <>
          {state.url === '' && <HostedOffers dispatch={dispatch} />}
          <SelfManaged state={state} dispatch={dispatch} />
        </>
      )}
    </>
  )
}

/** The hosted instances. If they cannot be read, the choice above says so. */
function HostedOffers({ dispatch }: Pick<StepProps, 'dispatch'>) {
  const { data = [] } = useQuery(hostedQuery())
  return (
    <Offers
      label={blueprintTexts.hostedHere}
      items={data.map(({ name, path: url }) => ({
        id: url,
        name,
        choose: () => {
          dispatch({ type: 'target', target: 'hosted' })
          dispatch({ type: 'hosted', hosted: { name, url } })
          dispatch({ type: 'next' })
        },
      }))}
    />
  )
}

function SelfManaged({ state, dispatch }: StepProps) {
  const { url, credentials, working } = state
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  async function test() {
    const instance = instanceOf(state)
    if (instance === null) return
    const { signal } = leaving.current
    dispatch({ type: 'test' })
    try {
      await testInstance(instance, signal)
      notify('success', messages.packages.connected(instance.instanceUrl))
      dispatch({ type: 'tested', test: { connected: true } })
    } catch (error) {
      if (signal.aborted) return
      notify('error', messages.packages.failed.connection(instance.instanceUrl))
      dispatch({ type: 'tested', test: { connected: false, reason: whyFailed(error) } })
    }
  }

  return (
    <>
      <div className={styles['tested']}>
        <TextField
          label="Instance URL"
          required
          mono
          type="url"
          hint="For example https://instance.example.com"
          value={url}
          error={fieldProblem(state) ?? null}
          onChange={next => dispatch({ type: 'url', url: next })}
        />
        <Button
          size="dialog"
          busy={working === 'testing'}
          disabled={
            instanceUrlOf(url) === undefined &&
            (url.trim() === '' ? blueprintTexts.urlRequired : blueprintTexts.urlInvalid)
          }
          onClick={() => void test()}
        >
          Test Connection
        </Button>
      </div>
      <StillWaiting waiting={working === 'testing'} />
      {state.test?.connected === false && <Alert kind="warning">{state.test.reason}</Alert>}
      <div className={styles['pair']}>
        <TextField
          label="Username"
          value={credentials.username}
          onChange={username => dispatch({ type: 'credentials', credentials: { ...credentials, username } })}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          value={credentials.password}
          onChange={password => dispatch({ type: 'credentials', credentials: { ...credentials, password } })}
        />
      </div>
      <p className={styles['note']}>Credentials for the instance. Discarded when the wizard closes, never stored.</p>
    </>
  )
}
