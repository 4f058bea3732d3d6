import { Text } from '@mantine/core'
import classes from './sample-message.module.css'

/** What a message in the chat looks like. */
export const SampleMessage = () => (
  <div className={classes.message}>
    <Text size="sm" fw={600} c="var(--mantine-color-text)">
      ada@example.com changed new-checkout
    </Text>
    <Text size="xs">Environment Production · State on · Rollout 25%</Text>
  </div>
)
