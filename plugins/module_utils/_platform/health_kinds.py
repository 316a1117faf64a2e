# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""What Argo CD knows about the health of custom resources, by API group. Data only.

Kubernetes' own kinds are not listed: they are no custom resources. `*` stands for anything.
"""

from __future__ import annotations

# The scripts that Argo CD v3.5.2 brings along (resource_customizations/*/*/health.lua), and its check of Workflows.
BUILT_IN: dict[str, str] = {
    "*.cnrm.cloud.google.com": "*",
    "*.crossplane.io": "*",
    "*.upbound.io": "*",
    "acid.zalan.do": "postgresql",
    "addons.cluster.x-k8s.io": "ClusterResourceSet",
    "apiextensions.k8s.io": "CustomResourceDefinition",
    "apps.3scale.net": "APIManager",
    "apps.kruise.io": "AdvancedCronJob BroadcastJob CloneSet DaemonSet StatefulSet",
    "apps.openshift.io": "DeploymentConfig",
    "argoproj.io": "AnalysisRun ApplicationSet CronWorkflow EventBus Experiment Rollout Workflow",
    "astra.netapp.io": (
        "AppVault Application Backup ExecHook ExecHooksRun ResourceBackup ResticVolumeBackup Schedule Snapshot"
    ),
    "batch": "CronJob",
    "beat.k8s.elastic.co": "Beat",
    "bitnami.com": "SealedSecret",
    "camel.apache.org": "Integration",
    "capabilities.3scale.net": (
        "ActiveDoc Application ApplicationAuth Backend CustomPolicyDefinition DeveloperAccount DeveloperUser "
        "OpenAPI Product ProxyConfigPromote Tenant"
    ),
    "cassandra.rook.io": "Cluster",
    "cdi.kubevirt.io": "DataVolume",
    "ceph.rook.io": "CephCluster CephObjectStore",
    "cert-manager.io": "Certificate ClusterIssuer Issuer",
    "certmanager.k8s.io": "Certificate Issuer",
    "clickhouse-keeper.altinity.com": "ClickHouseKeeperInstallation",
    "clickhouse.altinity.com": "ClickHouseInstallation",
    "cloudfront.aws.crossplane.io": "Distribution",
    "cluster.x-k8s.io": "Cluster Machine MachineDeployment MachineHealthCheck MachinePool",
    "controlplane.cluster.x-k8s.io": "AWSManagedControlPlane",
    "coralogix.com": "Alert RecordingRuleGroupSet",
    "core.gardener.cloud": "Shoot",
    "core.humio.com": "HumioAction HumioAlert HumioCluster HumioIngestToken HumioParser HumioRepository HumioView",
    "core.spinkube.dev": "SpinApp",
    "datadoghq.com": "DatadogMetric",
    "db.atlasgo.io": "AtlasMigration AtlasSchema",
    "elasticsearch.k8s.elastic.co": "Elasticsearch",
    "external-secrets.io": "ClusterExternalSecret ClusterSecretStore ExternalSecret PushSecret SecretStore",
    "flagger.app": "Canary",
    "flink.apache.org": "FlinkDeployment",
    "game.kruise.io": "GameServer GameServerSet",
    "gateway.networking.k8s.io": "BackendTLSPolicy GRPCRoute Gateway GatewayClass HTTPRoute",
    "gateway.solo.io": "Gateway MatchableHttpGateway RouteOption RouteTable VirtualHostOption VirtualService",
    "gloo.solo.io": "Proxy Settings Upstream UpstreamGroup",
    "grafana-org-operator.kubitus-project.gitlab.io": "*",
    "grafana.integreatly.org": "Grafana GrafanaDashboard GrafanaDatasource GrafanaFolder",
    "helm.toolkit.fluxcd.io": "HelmRelease",
    "iam.aws.crossplane.io": "Policy Role RolePolicyAttachment",
    "iammanager.keikoproj.io": "Iamrole",
    "image.toolkit.fluxcd.io": "ImagePolicy ImageRepository ImageUpdateAutomation",
    "install.istio.io": "IstioOperator",
    "jaegertracing.io": "Jaeger",
    "k8s.keycloak.org": "Keycloak",
    "k8s.mariadb.com": "Backup Database Grant MariaDB SqlJob User",
    "kafka.banzaicloud.io": "KafkaCluster",
    "kafka.strimzi.io": "Kafka KafkaBridge KafkaConnect KafkaConnector KafkaTopic KafkaUser",
    "karpenter.k8s.aws": "EC2NodeClass",
    "karpenter.sh": "NodeClaim NodePool",
    "keda.sh": "ScaledJob ScaledObject",
    "kiali.io": "Kiali",
    "kubernetes-client.io": "ExternalSecret",
    "kubevirt.io": "VirtualMachine VirtualMachineInstance",
    "kustomize.toolkit.fluxcd.io": "Kustomization",
    "kyverno.io": "Policy",
    "lifecycle.keptn.sh": "KeptnAppVersion KeptnEvaluation KeptnTask KeptnWorkloadInstance KeptnWorkloadVersion",
    "logstash.k8s.elastic.co": "Logstash",
    "mariadb.mmontes.io": "MariaDB",
    "metrics.keptn.sh": "Analysis KeptnMetric",
    "minio.min.io": "Tenant",
    "monitoring.coreos.com": "Prometheus",
    "networking.gke.io": "ManagedCertificate",
    "nmstate.io": "NodeNetworkConfigurationPolicy",
    "notification.toolkit.fluxcd.io": "Receiver",
    "numaflow.numaproj.io": "InterStepBufferService MonoVertex Pipeline Vertex",
    "numaplane.numaproj.io": "ISBServiceRollout MonoVertexRollout NumaflowControllerRollout PipelineRollout",
    "objectbucket.io": "ObjectBucketClaim",
    "ocs.openshift.io": "StorageCluster",
    "onepassword.com": "OnePasswordItem",
    "openfaas.com": "Function",
    "opentelemetry.io": "OpenTelemetryCollector",
    "operator.knative.dev": "KnativeEventing KnativeServing",
    "operator.openshift.io": "IngressController",
    "operator.victoriametrics.com": "*",
    "operators.coreos.com": "Subscription",
    "pkg.crossplane.io": "Provider",
    "platform.confluent.io": "Connect Connector ControlCenter Kafka KsqlDB SchemaRegistry Zookeeper",
    "policy": "PodDisruptionBudget",
    "policy.open-cluster-management.io": "CertificatePolicy ConfigurationPolicy OperatorPolicy Policy",
    "postgresql.cnpg.io": "Cluster",
    "proclaim.dogmatiq.io": "DNSSDServiceInstance",
    "projectcontour.io": "ExtensionService HTTPProxy",
    "promoter.argoproj.io": (
        "ArgoCDCommitStatus ChangeTransferPolicy ClusterScmProvider CommitStatus GitCommitStatus "
        "GitRepository PromotionStrategy PullRequest ScmProvider TimedCommitStatus WebRequestCommitStatus"
    ),
    "psmdb.percona.com": "PerconaServerMongoDB",
    "pxc.percona.com": "PerconaXtraDBCluster",
    "rabbitmq.com": "Binding Exchange Permission Policy Queue RabbitmqCluster Shovel User Vhost",
    "rds.aws.crossplane.io": "DBCluster DBInstance",
    "rollouts.kruise.io": "Rollout",
    "route.openshift.io": "Route",
    "route53.aws.crossplane.io": "ResourceRecordSet",
    "s3.aws.crossplane.io": "Bucket",
    "services.cloud.sap.com": "ServiceBinding ServiceInstance",
    "serving.knative.dev": "Service",
    "serving.kserve.io": "InferenceService",
    "snapshot.storage.k8s.io": "VolumeSnapshot VolumeSnapshotContent",
    "solr.apache.org": "SolrCloud",
    "source.toolkit.fluxcd.io": "Bucket GitRepository HelmChart HelmRepository OCIRepository",
    "sparkoperator.k8s.io": "SparkApplication",
    "spot.io": "SpotDeployment",
    "stacks.crossplane.io": "ClusterStackInstall",
    "tower.ansible.com": "AnsibleJob",
    "trident.netapp.io": "TridentBackendConfig TridentOrchestrator",
    "work.karmada.io": "ClusterResourceBinding ResourceBinding",
    "zookeeper.pravega.io": "ZookeeperCluster",
}

# RFC INV-7: for these «it exists» is never «it works».
INDISPENSABLE: dict[str, str] = {
    "acid.zalan.do": "postgresql",
    "argoproj.io": "Application",
    "ceph.rook.io": "CephCluster",
    "temporal.io": "TemporalCluster",
    "vault.banzaicloud.com": "Vault",
}

# Settings that others read: they have no readiness of their own, and exist or do not.
PASSIVE: dict[str, str] = {
    "argoproj.io": "AppProject WorkflowTemplate ClusterWorkflowTemplate AnalysisTemplate ClusterAnalysisTemplate",
    "generators.external-secrets.io": "*",
    "metallb.io": "IPAddressPool L2Advertisement BGPAdvertisement BGPPeer BFDProfile Community",
    "monitoring.coreos.com": "PrometheusRule ServiceMonitor PodMonitor Probe ScrapeConfig AlertmanagerConfig",
    "networking.istio.io": "*",
    "snapshot.storage.k8s.io": "VolumeSnapshotClass",
    "tekton.dev": "Task ClusterTask Pipeline StepAction",
    "triggers.tekton.dev": "TriggerBinding ClusterTriggerBinding TriggerTemplate Trigger ClusterInterceptor",
}
