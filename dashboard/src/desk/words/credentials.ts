const titles: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  apiUser: 'API user',
  password: 'Password',
  secretKey: 'Secret key',
  subscriptionKey: 'Subscription key',
  systemId: 'System id',
  targetEnvironment: 'Target environment',
  webhookSecret: 'Webhook secret',
}

/** The title of a supplier's or a payment gateway's credential. The command line uses its name. */
export const credentialTitle = (name: string): string => titles[name] ?? name
