import { z } from "zod";

// The parts of Kubernetes' own schemas that deploy/kubernetes uses. An unknown field fails, which a
// cluster would drop without a word; so does text where it wants a number, and the reverse.
const { strictObject: object, array, literal } = z;
const text = z.string().min(1);
const whole = z.int().nonnegative();
const texts = array(text).min(1);
const labels = z.record(z.string(), z.string());
const port = z.int().min(1).max(65_535);
const named = object({ name: text });

const metadata = object({
  name: z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/),
  namespace: text.optional(),
  annotations: labels.optional(),
});
const selector = object({ matchLabels: labels });

const probe = object({
  httpGet: object({ path: text, port: text }),
  periodSeconds: whole,
  failureThreshold: whole,
  timeoutSeconds: whole.optional(),
});
const quantities = object({
  cpu: z
    .string()
    .regex(/^\d+m?$/)
    .optional(),
  memory: z.string().regex(/^\d+[MG]i$/),
});
const container = object({
  name: text,
  image: text,
  command: texts.optional(),
  env: array(object({ name: text, value: z.string() })).optional(),
  envFrom: array(object({ configMapRef: named.optional(), secretRef: named.optional() })),
  ports: array(object({ name: text, containerPort: port })).optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  securityContext: object({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: object({ drop: texts }),
  }),
  resources: object({ requests: quantities, limits: quantities }),
  volumeMounts: array(object({ name: text, mountPath: text })).optional(),
});
const podSpec = object({
  automountServiceAccountToken: z.boolean(),
  restartPolicy: z.enum(["Always", "OnFailure", "Never"]).optional(),
  terminationGracePeriodSeconds: whole.optional(),
  topologySpreadConstraints: array(
    object({
      maxSkew: z.int().min(1),
      topologyKey: text,
      whenUnsatisfiable: z.enum(["DoNotSchedule", "ScheduleAnyway"]),
      labelSelector: selector,
    }),
  ).optional(),
  securityContext: object({
    runAsNonRoot: z.boolean(),
    runAsUser: whole,
    runAsGroup: whole,
    fsGroup: whole,
    fsGroupChangePolicy: z.enum(["OnRootMismatch", "Always"]).optional(),
    seccompProfile: object({ type: z.enum(["RuntimeDefault", "Localhost", "Unconfined"]) }),
  }),
  containers: array(container).min(1),
  volumes: array(
    object({
      name: text,
      persistentVolumeClaim: object({ claimName: text }).optional(),
      emptyDir: object({}).optional(),
    }),
  ).optional(),
});
const job = object({ backoffLimit: whole, template: object({ spec: podSpec }) });

const routeFilter = z.discriminatedUnion("type", [
  object({
    type: literal("RequestHeaderModifier"),
    requestHeaderModifier: object({ remove: texts }),
  }),
  object({
    type: literal("RequestRedirect"),
    requestRedirect: object({ scheme: z.enum(["http", "https"]), statusCode: literal([301, 302]) }),
  }),
]);
const routeRule = object({
  matches: array(
    object({
      path: object({ type: z.enum(["Exact", "PathPrefix"]), value: z.string().startsWith("/") }),
    }),
  ).optional(),
  filters: array(routeFilter).optional(),
  timeouts: object({ request: z.string().regex(/^\d+(ms|s|m|h)$/) }).optional(),
  backendRefs: array(object({ name: text, port })).optional(),
});
const listener = object({
  name: text,
  hostname: text,
  port,
  protocol: z.enum(["HTTP", "HTTPS"]),
  tls: object({
    mode: z.enum(["Terminate", "Passthrough"]),
    certificateRefs: array(named).min(1),
  }).optional(),
});

function manifest<Version extends string, Kind extends string, Rest extends z.ZodRawShape>(
  apiVersion: Version,
  kind: Kind,
  rest: Rest,
) {
  return object({ apiVersion: literal(apiVersion), kind: literal(kind), metadata, ...rest });
}

export const manifestSchema = z.discriminatedUnion("kind", [
  manifest("v1", "Namespace", {}),
  manifest("v1", "ConfigMap", { data: labels }),
  manifest("v1", "Secret", { stringData: labels }),
  manifest("v1", "PersistentVolumeClaim", {
    spec: object({
      accessModes: array(z.enum(["ReadWriteOnce", "ReadWriteMany"])).length(1),
      resources: object({ requests: object({ storage: z.string().regex(/^\d+Gi$/) }) }),
    }),
  }),
  manifest("v1", "Service", {
    spec: object({
      selector: labels,
      ports: array(object({ name: text, port, targetPort: text })).min(1),
    }),
  }),
  manifest("apps/v1", "Deployment", {
    spec: object({
      replicas: whole,
      strategy: object({
        rollingUpdate: object({ maxUnavailable: whole, maxSurge: whole }),
      }).optional(),
      selector,
      template: object({
        metadata: object({ labels, annotations: labels }),
        spec: podSpec,
      }),
    }),
  }),
  manifest("policy/v1", "PodDisruptionBudget", { spec: object({ minAvailable: whole, selector }) }),
  manifest("batch/v1", "Job", { spec: job }),
  manifest("batch/v1", "CronJob", {
    spec: object({
      schedule: z.string().regex(/^(\S+ ){4}\S+$/),
      timeZone: text,
      concurrencyPolicy: z.enum(["Allow", "Forbid", "Replace"]),
      jobTemplate: object({ spec: job }),
    }),
  }),
  manifest("networking.k8s.io/v1", "NetworkPolicy", {
    spec: object({
      podSelector: object({
        matchExpressions: array(
          object({ key: text, operator: z.enum(["In", "NotIn"]), values: texts }),
        ),
      }),
      policyTypes: array(z.enum(["Ingress", "Egress"])).min(1),
      ingress: array(
        object({
          from: array(object({ namespaceSelector: selector })).min(1),
          ports: array(object({ port })).min(1),
        }),
      ),
    }),
  }),
  manifest("gateway.networking.k8s.io/v1", "Gateway", {
    spec: object({ gatewayClassName: text, listeners: array(listener).min(1) }),
  }),
  manifest("gateway.networking.k8s.io/v1", "HTTPRoute", {
    spec: object({
      parentRefs: array(object({ name: text, sectionName: text })).min(1),
      hostnames: texts,
      rules: array(routeRule).min(1),
    }),
  }),
]);
